import AuthStreams

extension AuthRepositoryContract {
    /// The promises that the following depend on.
    static let (union, separation) = ("linking adds an identity to the user", "unlinking takes the identity away")

    /// Linking and unlinking identities of the same user.
    static let linking = [
        check(union) { trial, findings in
            let credential = try await trial.environment.changes.linking.required()()
            let session = try await trial.session()
            let result = await result { () throws(AuthError) in
                try await trial.repository.link(credential, to: session)
            }
            guard let linked = findings.expectSession(of: session.user, in: result) else { return }
            let names = linked.user.providers.map(\.id)
            findings.expect(
                names.contains(credential.provider), "'\(credential.provider)' among the user's identities",
                saw: "it is not there")
        },
        check("a linked identity is a way in to the same user") { trial, findings in
            let more = try trial.environment.changes.linking.required()
            let session = try await trial.linked(try await trial.session())
            let credential = try await more()
            let result = await result { () throws(AuthError) in try await trial.repository.signIn(with: credential) }
            findings.expectSession(of: session.user, in: result)
        },
        check("another user's identity is refused with credentialInUse, which carries the conflict") {
            trial, findings in
            try trial.requireLinking()
            let stranger = try trial.environment.changes.strangers.required()
            let other = try await trial.session(of: stranger)
            let (session, credential) = (try await trial.session(), try await stranger())
            let error = await failure { () throws(AuthError) in
                try await trial.repository.link(credential, to: session)
            }
            findings.expect(error, is: .credentialInUse)
            guard error?.code == .credentialInUse else { return }
            findings.expect(error?.conflict != nil, "a conflict in the error", saw: "there is none")
            guard let carried = error?.conflict?.credential else { return }
            let result = await result { () throws(AuthError) in try await trial.repository.signIn(with: carried) }
            guard let entered = findings.expect("the credential in the conflict to be good", of: result) else { return }
            findings.expect(
                entered.user.id == other.user.id, "the credential in the conflict to be the other user's",
                saw: "it is another user's")
        },
        check(separation) { trial, findings in
            let provider = try await trial.environment.changes.linking.required()().provider
            let session = try await trial.linked(try await trial.session())
            let result = await result { () throws(AuthError) in
                try await trial.repository.unlink(provider, from: session)
            }
            guard let unlinked = findings.expectSession(of: session.user, in: result) else { return }
            findings.expect(
                !unlinked.user.providers.map(\.id).contains(provider), "no identity at '\(provider)'",
                saw: "it is still there")
            findings.expect(
                !unlinked.user.providers.isEmpty, "the other identities to stay", saw: "they are gone as well")
        },
        check("a session continues after a change of its identities") { trial, findings in
            try trial.requireLinking()
            try trial.requireRenewal()
            let linked = try await trial.linked(try await trial.session())
            try await goesOn(linked, after: "a link", trial, findings)
            let again = try await trial.linked(try await trial.session())
            let provider = try await trial.environment.changes.linking.required()().provider
            let unlinked = try await RepositoryTrial.promised(separation, "a session") { () throws(AuthError) in
                try await trial.repository.unlink(provider, from: again)
            }
            try await goesOn(unlinked, after: "an unlink", trial, findings)
        },
        check("a refused access token is told from a refused credential") { trial, findings in
            try trial.requireServer()
            try trial.requireLinking()
            var session = try await trial.session()
            session.accessToken = Secret("refused")
            let credential = try await trial.environment.changes.linking.required()()
            let error = await failure { () throws(AuthError) in try await trial.repository.link(credential, to: session)
            }
            findings.expect(
                error?.classification.refusesAccessToken ?? false,
                "an error that `refusesAccessToken`, for a forged access token",
                saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "a success")")
            guard case .can(let bad) = trial.environment.badCredential else { return }
            let (own, refused) = (try await trial.session(), try await bad())
            let other = await failure { () throws(AuthError) in try await trial.repository.link(refused, to: own) }
            findings.expect(
                other?.classification.refusesAccessToken == false, "an error that does not, for a bad credential",
                saw: "saw \(other.map { ContractFindings.words(for: $0) } ?? "a success")")
        },
    ]

    /// Checks that the tokens of a changed session are valid.
    static func goesOn(
        _ session: AuthSession, after what: String, _ trial: RepositoryTrial, _ findings: ContractFindings
    ) async throws {
        if case .can(let takes) = trial.environment.console.takesAccessToken {
            findings.expect(
                try await takes(session.accessToken), "the access token to be taken after \(what)", saw: "it is not")
        }
        if trial.renews { _ = try await trial.refreshed(session) }
    }

    /// Returns the result of a call.
    static func result<Value>(_ call: () async throws(AuthError) -> Value) async -> Result<Value, AuthError> {
        do { return .success(try await call()) } catch { return .failure(error) }
    }
}

extension RepositoryTrial {
    /// - Throws: ``ContractSkip`` for a repository that does not link.
    func requireLinking() throws(ContractSkip) { _ = try environment.changes.linking.required() }

    /// Returns the session with one more identity.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none.
    func linked(_ session: AuthSession) async throws -> AuthSession {
        let credential = try await environment.changes.linking.required()()
        return try await Self.promised(AuthRepositoryContract.union, "a session with one more identity") {
            () throws(AuthError) in try await repository.link(credential, to: session)
        }
    }

    /// Returns a session of the credential's user.
    func session(of credential: @Sendable () async throws -> Credential) async throws -> AuthSession {
        let credential = try await credential()
        return try await Self.promised(AuthRepositoryContract.agreement, "a session of a good credential") {
            () throws(AuthError) in try await repository.signIn(with: credential)
        }
    }
}
