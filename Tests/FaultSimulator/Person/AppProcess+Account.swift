import AuthStreams

extension AppProcess {
    /// The person adds an identity. Where it is another user's, they may sign in as that one.
    func link(_ identity: Identity) {
        guard let service else { return }
        let request = AuthRequest(loginHint: "\(identity.person)")
        change(.link(identity)) {
            service.link(with: identity.provider, request)
        } then: { [self] result, call in
            if case .success(let user) = result, user.isAnonymous || !user.providers.contains(where: identity.isThere) {
                world.broke(.userStays, "\(call.name) succeeds, and \(user.id) has not got it.")
            }
            guard case .failure(let error) = result, error.code == .credentialInUse,
                let credential = error.conflict?.credential, world.chance.oneIn(2)
            else { return }
            signIn(identity, by: credential)
        }
    }

    /// The person removes an identity, after another proof if the server requires it.
    func unlink(_ provider: ProviderID) {
        guard let service else { return }
        change(.unlink(provider)) {
            service.unlink(provider)
        } then: { [self] result, _ in
            if case .failure(let error) = result, error.code == .requiresRecentSignIn { reauthenticate(as: nil) }
        }
    }

    /// The person proves their identity again.
    ///
    /// - Parameter person: Whose account they choose; their own unless given.
    func reauthenticate(as person: Int?) {
        guard let service else { return }
        change(.reauthenticate) {
            service.reauthenticate(AuthRequest(loginHint: person.map(String.init)))
        }
    }

    private func change(
        _ kind: Call.Kind, _ stream: @escaping @Sendable () -> AuthStream<AuthUser>,
        then next: @escaping @Sendable (Result<AuthUser, AuthError>, Call) -> Void = { _, _ in }
    ) {
        ask(kind) { [self] call in
            call.began(in: self)
            for await result in stream() {
                if case .success(let user) = result { world.ledger.changed(user, call, in: self) }
                call.resulted(result.story, in: self)
                next(result, call)
            }
        }
    }

    /// The person deletes their account.
    func deleteAccount() {
        guard let service else { return }
        ask(.deleteAccount) { [self] call in
            call.began(in: self)
            for await result in service.deleteAccount() {
                if case .success = result { world.ledger.deleted(call, in: self) }
                call.resulted(result.story, in: self)
            }
        }
    }

    /// The person signs out, on all devices.
    func signOutEverywhere() {
        guard let service else { return }
        ask(.signOutEverywhere) { [self] call in
            call.began(in: self)
            // It counts from where they are seen to leave.
            conduct.personWillSignOut(world.ledger.mark())
            let result: Result<Void, AuthError>
            do throws(AuthError) { result = .success(try await service.signOut(everywhere: true)) } catch {
                result = .failure(error)
            }
            if let signOut = call.signOut { world.ledger.signOutEnded(signOut, of: call, isDone: result.isSuccess) }
            if case .success = result { world.ledger.endedEverywhere(call) }
            call.resulted(result.story, in: self)
        }
    }
}

extension Identity {
    fileprivate func isThere(_ linked: AuthUser.LinkedProvider) -> Bool { linked.id == provider }
}
