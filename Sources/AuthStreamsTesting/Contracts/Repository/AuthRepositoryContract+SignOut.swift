import AuthStreams

extension AuthRepositoryContract {
    /// The promises that the following depend on.
    static let (signingOut, deletion) = ("signing out succeeds", "deleting the account succeeds")

    /// Signing out and deleting.
    static let signOutChecks = [
        check(signingOut) { trial, findings in
            let result = await (try RepositoryTrial.Call.signOut.prepare(trial)).result
            findings.expect("no error", of: result)
        },
        check("after a sign-out the server refuses the refresh token") { trial, findings in
            try trial.environment.console.endsSessionsAtSignOut.required()
            try trial.requireRenewal()
            let session = try await trial.session()
            try await RepositoryTrial.promised(signingOut, "a sign-out that succeeds") { () throws(AuthError) in
                try await trial.repository.signOut(session)
            }
            let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
            findings.expect(error, is: .sessionExpired)
        },
        check(deletion) { trial, findings in
            let result = await (try RepositoryTrial.Call.deleteAccount.prepare(trial)).result
            findings.expect("no error", of: result)
        },
        check("after a deletion a refresh ends with a terminal rejection") { trial, findings in
            try trial.requireServer()
            try trial.requireRenewal()
            let session = try await trial.session()
            try await RepositoryTrial.promised(deletion, "a deletion that succeeds") { () throws(AuthError) in
                try await trial.repository.deleteAccount(session)
            }
            let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
            findings.expect(error, is: .userNotFound, .sessionExpired)
        },
    ]

    /// Adopting a session of another SDK.
    static let adopting = [
        check("an adoptable session is adopted, or refused before any request") { trial, findings in
            try trial.requireRenewal()
            let session = try await trial.session()
            guard let token = session.refreshToken else {
                throw ContractSkip(reason: "the session has no refresh token")
            }
            trial.network.begin()
            let result = await adoption(of: token, session.user, trial)
            guard case .can = trial.environment.console.adopts else {
                findings.expect(result.failure, is: .unsupportedProvider)
                return findings.expectNoRequests(trial.network)
            }
            guard let adopted = findings.expect("a session", of: result) else { return }
            findings.expect(adopted.user.id == session.user.id, "a session of the same user", saw: "it is another's")
            _ = try await trial.refreshed(adopted)
        },
        check("a refresh token that the server does not know gets a terminal rejection") { trial, findings in
            try trial.environment.console.adopts.required()
            let result = await adoption(of: Secret("no-such-refresh-token"), try await trial.session().user, trial)
            findings.expect(
                result.failure.map { !$0.isRetryable } ?? false, "an error that no retry changes",
                saw: "saw \(ContractFindings.words(for: result))")
        },
    ]

    private static func adoption(
        of token: Secret, _ user: AuthUser, _ trial: RepositoryTrial
    ) async -> Result<AuthSession, AuthError> {
        let adoptable = AdoptableSession(refreshToken: token, user: user)
        do throws(AuthError) { return .success(try await trial.repository.adopt(adoptable)) } catch {
            return .failure(error)
        }
    }
}

extension RepositoryTrial {
    /// - Throws: ``ContractSkip`` for a repository without a server.
    func requireServer() throws(ContractSkip) { _ = try environment.network.required() }
}

extension Result where Failure == AuthError {
    var failure: AuthError? { if case .failure(let error) = self { error } else { nil } }
}
