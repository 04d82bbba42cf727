import AuthStreams

extension AuthRepositoryContract {
    /// The promise that the following depend on.
    static let withdrawal = "revoking ends what the provider lets the app do"

    /// Ending the sessions of other devices.
    static let everywhere = [
        check("signing out everywhere ends the user's other sessions") { trial, findings in
            try trial.environment.changes.signingOutEverywhere.required()
            try trial.requireRenewal()
            let (here, there) = (try await trial.session(), try await trial.session())
            let result = await result { () throws(AuthError) in try await trial.repository.signOutEverywhere(here) }
            guard findings.expect("no error", of: result) != nil else { return }
            for (name, session) in [("this", here), ("the other", there)] {
                let error = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
                findings.expect(error, is: .sessionExpired, after: " of \(name) session")
            }
        }
    ]

    /// Withdrawing the app's access at the provider.
    static let revoking = [
        check(withdrawal) { trial, findings in
            let grants = try trial.environment.changes.revocation.required()
            let session = try await trial.session()
            let credential = try await trial.environment.credential()
            findings.expect(
                trial.repository.revokesAccess(at: credential.provider), "revokesAccess(at:) to say yes",
                saw: "it says no")
            let result = await result { () throws(AuthError) in
                try await trial.repository.revokeAccess(with: credential, of: session)
            }
            findings.expect("no error", of: result)
            findings.expect(
                !(try await grants(credential)), "the app to have lost its access", saw: "the provider still grants it")
        },
        check("revoking another person's access is refused") { trial, findings in
            let grants = try trial.environment.changes.revocation.required()
            let stranger = try trial.environment.changes.strangers.required()
            let (session, credential) = (try await trial.session(), try await stranger())
            let error = await failure { () throws(AuthError) in
                try await trial.repository.revokeAccess(with: credential, of: session)
            }
            findings.expect(error, is: .accessDenied)
            findings.expect(try await grants(credential), "the other person's access to stay", saw: "it is gone")
        },
    ]

    /// Refusing the operations that the repository does not have.
    static let refusing = [
        check("what it cannot do is refused before any request") { trial, findings in
            let missing = RepositoryTrial.Call.changes.filter { !$0.isThere(trial.environment) }
            if missing.contains(.revokeAccess) {
                let credential = try await trial.environment.credential()
                findings.expect(
                    !trial.repository.revokesAccess(at: credential.provider), "revokesAccess(at:) to say no",
                    saw: "it says yes")
            }
            for call in missing {
                let prepared = try await call.prepare(trial)
                trial.network.begin()
                let error = await prepared.result.failure
                findings.expect(error, is: .unsupportedProvider, after: " for a \(call.name)")
                findings.expectNoRequests(trial.network)
            }
        }
    ]
}
