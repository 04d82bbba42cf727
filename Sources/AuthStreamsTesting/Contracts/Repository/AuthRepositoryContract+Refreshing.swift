import AuthStreams

extension AuthRepositoryContract {
    /// The promise that those after a refresh depend on.
    static let renewal = "a session can be refreshed"

    /// Refreshing a session, until the server ends it with one of the codes that end a session.
    static let refreshing = [
        check(renewal) { trial, findings in
            let session = try await trial.session()
            trial.network.begin()
            let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
            guard trial.renews else {
                findings.expect(error, is: .sessionExpired)
                findings.expectNoRequests(trial.network)
                return try trial.requireRenewal()
            }
            findings.expect(
                error == nil, "the next session", saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "")")
        },
        check("a refresh keeps user and provider") { trial, findings in
            try trial.requireRenewal()
            let session = try await trial.session()
            let next = try await trial.refreshed(session)
            findings.expect(next.user.id == session.user.id, "the same user", saw: "saw another")
            findings.expect(next.provider == session.provider, "the same provider", saw: "saw '\(next.provider)'")
        },
        check("a refreshed session can be refreshed again") { trial, findings in
            try trial.requireRenewal()
            var session = try await trial.refreshed(try await trial.session())
            for time in ["second", "third"] {
                do throws(AuthError) { session = try await trial.repository.refresh(session) } catch {
                    findings.add("a session at the \(time) time", saw: "saw \(ContractFindings.words(for: error))")
                    return
                }
            }
        },
        check("a second use of a refresh token is accepted as the rule says") { trial, findings in
            try trial.requireRenewal()
            let session = try await trial.session()
            let next = try await trial.refreshed(session)
            switch trial.repository.refreshTokenRule {
            case .singleUse:
                findings.expect(
                    next.refreshToken != session.refreshToken, "another refresh token, as the rule is single use",
                    saw: "it is the same")
            case .reusable:
                let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
                findings.expect(
                    error == nil, "the same refresh token to work again, as the rule says",
                    saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "")")
            }
        },
        check("the server takes the access token of a sign-in and of a refresh") { trial, findings in
            let takes = try trial.environment.console.takesAccessToken.required()
            let session = try await trial.session()
            findings.expect(try await takes(session.accessToken), "a token that works", saw: "a sign-in's does not")
            guard trial.renews else { return }
            let next = try await trial.refreshed(session)
            findings.expect(try await takes(next.accessToken), "a token that works", saw: "a refresh's does not")
        },
        ending("after a revocation a refresh ends with sessionExpired", .sessionExpired, \.revoke),
        ending("after disabling the user a refresh ends with userDisabled", .userDisabled, \.disable),
        ending("after deleting the user a refresh ends with userNotFound", .userNotFound, \.delete),
    ]

    private static func ending(
        _ name: String, _ code: AuthError.Code,
        _ action: @escaping @Sendable (Console) -> ContractCapability<Console.Action>
    ) -> ContractCheck<Self> {
        check(name) { trial, findings in
            let end = try action(trial.environment.console).required()
            try trial.requireRenewal()
            let session = try await trial.session()
            try await end(session.user)
            let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
            findings.expect(error, is: code)
        }
    }
}
