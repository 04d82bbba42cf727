import AuthStreams

extension AppProcess {
    /// A person signs in.
    func signIn(_ identity: Identity) {
        guard let service else { return }
        let request = AuthRequest(loginHint: "\(identity.person)")
        signIn(.signIn(identity)) { service.signIn(with: identity.provider, request) }
    }

    /// A person signs in after a conflict as the user whose account it is.
    func signIn(_ identity: Identity, by credential: Credential) {
        guard let service else { return }
        signIn(.signIn(identity)) { service.signIn(credential: credential) }
    }

    /// A person signs in anonymously.
    func signInAnonymously() {
        guard let service else { return }
        signIn(.signInAnonymously) { service.signInAnonymously() }
    }

    private func signIn(_ kind: Call.Kind, _ attempt: @escaping @Sendable () -> AuthStream<SignInResult>) {
        ask(kind) { [self] call in
            call.began(in: self)
            for await result in attempt() {
                switch result {
                case .success(let signedIn): world.ledger.succeeded(signedIn.user, call, in: self)
                case .failure(let error): world.ledger.failed(error, call, in: self)
                }
                call.resulted(result.story, in: self)
            }
        }
    }

    /// The person signs out.
    func signOut() {
        guard let service else { return }
        ask(.signOut) { [self] call in
            // It counts from the call of the library, when this task begins to run.
            if conduct.screen.isAsking { world.met(.signOut) }
            let signOut = world.ledger.signOutBegan(in: self)
            conduct.personWillSignOut(world.ledger.mark())
            let result: Result<Void, AuthError>
            do throws(AuthError) { result = .success(try await service.signOut()) } catch { result = .failure(error) }
            world.ledger.signOutEnded(signOut, of: call, isDone: result.isSuccess)
            call.resulted(result.story, in: self)
        }
    }

    /// Asks for something in a task of its own.
    func ask(_ kind: Call.Kind, _ body: @escaping @Sendable (Call) async -> Void) {
        let call = Call(kind, self)
        conduct.calls.append(call)
        world.note(self, "\(call.name) begins")
        world.after(call.timeLimit, of: id) { [self] in call.requireEnd(in: self) }
        call.task = start { [self] in
            await Call.$current.withValue(call) { await body(call) }
            call.ended(in: self)
        }
    }
}

extension Ledger {
    /// A sign-in was told to have succeeded.
    fileprivate func succeeded(_ signedIn: AuthUser, _ call: Call, in process: AppProcess) {
        let user = signedIn.number
        let isTheirs =
            switch call.kind {
            case .signIn(let identity): user.map { world.server.accounts.hasBelonged(identity, to: $0) } ?? false
            // An anonymous user who is signed in stays.
            default:
                signedIn.isAnonymous
                    && user.map { process.conduct.isMeant($0, by: call) || process.conduct.answers[$0] != nil } ?? false
            }
        if !isTheirs { world.broke(.tokensKeepToTheirUser, "\(call.name) ends with \(signedIn.id).") }
    }

    /// A sign-in was told to have failed: nothing of it took effect, but for a sign-out that came in between.
    fileprivate func failed(_ error: AuthError, _ call: Call, in process: AppProcess) {
        guard let family = call.family, tookEffect(family) else { return }
        let root = lineage.root(family)
        guard !decisions(of: process).contains(where: { $0.over.contains(root) }) else { return }
        world.broke(
            .failureLeavesNothing, "\(call.name) ends with \(error.code.rawValue), and session \(family) took effect.")
    }
}

extension Result where Failure == AuthError {
    var isSuccess: Bool { if case .success = self { true } else { false } }

    var story: String {
        switch self {
        case .success: "success"
        case .failure(let error): error.code.rawValue
        }
    }
}
