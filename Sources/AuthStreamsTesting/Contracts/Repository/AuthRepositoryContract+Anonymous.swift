import AuthStreams

extension AuthRepositoryContract {
    /// The promise that the following depend on.
    static let guests = "an anonymous sign-in makes a user without an identity"

    /// Users without an identity, who may become permanent ones.
    static let anonymous = [
        check(guests) { trial, findings in
            try trial.environment.changes.anonymousUsers.required()
            let result = await result { () throws(AuthError) in try await trial.repository.signInAnonymously() }
            guard case .success(let session) = result else {
                return findings.add("a session", saw: "saw \(ContractFindings.words(for: result))")
            }
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
            guard case .success(let linked) = result else {
                return findings.add("a session", saw: "saw \(ContractFindings.words(for: result))")
            }
            findings.expect(linked.user.id == session.user.id, "the same user", saw: "saw another")
            findings.expect(!linked.user.isAnonymous, "a lasting user", saw: "they are still anonymous")
            try await goesOn(linked, after: "the upgrade", trial, findings)
        },
    ]
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
