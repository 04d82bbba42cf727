import AuthStreams

extension AuthRepositoryContract {
    /// The promise that most others depend on.
    static let agreement = "a good credential makes a session"

    /// Signing in with a credential, or refusing it.
    static let signingIn = [
        check("a provider without a route is refused before any request") { trial, findings in
            let provider = try trial.environment.unroutedProvider.required()
            findings.expect(!trial.repository.accepts(provider), "accepts(_:) to say no", saw: "it says yes")
            trial.network.begin()
            let error = await failure { () throws(AuthError) in
                try await trial.repository.signIn(with: Credential(provider: provider, idToken: Secret("contract")))
            }
            findings.expect(error, is: .unsupportedProvider)
            findings.expectNoRequests(trial.network)
        },
        check("it accepts the provider that it signs in with") { trial, findings in
            let provider = try await trial.environment.credential().provider
            findings.expect(trial.repository.accepts(provider), "accepts(_:) to say yes", saw: "it says no")
        },
        check(agreement) { trial, findings in
            let result = await (try RepositoryTrial.Call.signIn.prepare(trial)).result
            findings.expect("a session", of: result)
        },
        check("a session names its provider and its user, and has an access token") { trial, findings in
            let session = try await trial.session()
            let provider = try await trial.environment.credential().provider
            findings.expect(session.provider == provider, "'\(provider)'", saw: "saw '\(session.provider)'")
            findings.expect(!session.user.id.isEmpty, "a user with an id", saw: "the id is empty")
            findings.expect(!session.accessToken.isEmpty, "an access token", saw: "it is empty")
            findings.expect(trial.repository.owns(session), "owns(_:) to say yes", saw: "it says no")
        },
        check("the same person is the same user at the next sign-in") { trial, findings in
            let (first, second) = (try await trial.session(), try await trial.session())
            findings.expect(first.user.id == second.user.id, "one user", saw: "saw two")
        },
        check("a bad credential is refused with invalidCredential") { trial, findings in
            let credential = try await trial.environment.badCredential.required()()
            let error = await failure { () throws(AuthError) in try await trial.repository.signIn(with: credential) }
            findings.expect(error, is: .invalidCredential)
        },
    ]

    /// Returns a check with its own server.
    static func check(
        _ name: String, _ body: @escaping @Sendable (RepositoryTrial, ContractFindings) async throws -> Void
    ) -> ContractCheck<Self> {
        ContractCheck(name) { contract, findings in
            let trial = try await RepositoryTrial(contract)
            findings.stage("waiting for the repository to answer")
            try await body(trial, findings)
        }
    }

    /// Returns the error of a call; `nil` if it succeeds.
    static func failure<Value>(_ call: () async throws(AuthError) -> Value) async -> AuthError? {
        do { _ = try await call() } catch { return error }
        return nil
    }
}

extension AuthRepositoryContract {
    /// The promise that the following depend on.
    static let guests = "an anonymous sign-in makes a user without an identity"

    /// Users without an identity, who may become permanent ones.
    static let anonymous = [
        check(guests) { trial, findings in
            try trial.environment.changes.anonymousUsers.required()
            let result = await result { () throws(AuthError) in try await trial.repository.signInAnonymously() }
            guard let session = findings.expect("a session", of: result) else { return }
            findings.expect(session.user.isAnonymous, "an anonymous user", saw: "the user is none")
            findings.expect(session.user.providers.isEmpty, "no identity", saw: "there is one")
            findings.expect(session.provider == .anonymous, "'anonymous'", saw: "saw '\(session.provider)'")
            findings.expect(!session.accessToken.isEmpty, "an access token", saw: "it is empty")
        },
        check("each anonymous sign-in is another user") { trial, findings in
            let (first, second) = (try await trial.anonymous(), try await trial.anonymous())
            findings.expect(first.user.id != second.user.id, "two users", saw: "saw one")
        },
        check("an anonymous user with an identity is a lasting one and keeps the identifier") { trial, findings in
            let session = try await trial.anonymous()
            try trial.requireLinking()
            let credential = try await trial.environment.credential()
            let result = await result { () throws(AuthError) in
                try await trial.repository.link(credential, to: session)
            }
            guard let linked = findings.expectSession(of: session.user, in: result) else { return }
            findings.expect(!linked.user.isAnonymous, "a lasting user", saw: "they are still anonymous")
            try await goesOn(linked, after: "the upgrade", trial, findings)
        },
    ]
}

extension ContractFindings {
    func expect(_ error: AuthError?, is codes: AuthError.Code..., after what: String = "") {
        let names = codes.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        expect(
            error.map { codes.contains($0.code) } ?? false, "an error with code \(names)\(what)",
            saw: "saw \(error.map { Self.words(for: $0) } ?? "a success")")
    }

    func expectNoRequests(_ network: ContractNetwork) {
        expect(network.sent.isEmpty, "no request", saw: "there were \(network.sent.count)")
    }
}

extension RepositoryTrial {
    /// Returns a session of a new user without an identity.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none, ``ContractSkip`` for a repository without anonymous users.
    func anonymous() async throws -> AuthSession {
        try environment.changes.anonymousUsers.required()
        return try await Self.promised(AuthRepositoryContract.guests, "a session") { () throws(AuthError) in
            try await repository.signInAnonymously()
        }
    }
}
