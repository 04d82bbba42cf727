import AuthStreams

extension AuthRepositoryContract {
    /// The promise that those after a re-authentication depend on.
    static let proof = "re-authenticating keeps the user"

    /// Confirming the user's identity again.
    static let proving = [
        check(proof) { trial, findings in
            try trial.environment.changes.reauthentication.required()
            let session = try await trial.session()
            let credential = try await trial.environment.credential()
            let result = await result { () throws(AuthError) in
                try await trial.repository.reauthenticate(session, with: credential)
            }
            guard case .success(let proven) = result else {
                return findings.add("a session", saw: "saw \(ContractFindings.words(for: result))")
            }
            findings.expect(proven.user.id == session.user.id, "the same user", saw: "saw another")
        },
        check("a session continues after a re-authentication") { trial, findings in
            try trial.environment.changes.reauthentication.required()
            try await goesOn(
                try await trial.proven(try await trial.session()), after: "a re-authentication", trial, findings)
        },
        check("another user's credential does not re-authenticate") { trial, findings in
            try trial.environment.changes.reauthentication.required()
            let stranger = try trial.environment.changes.strangers.required()
            _ = try await trial.session(of: stranger)
            let (session, credential) = (try await trial.session(), try await stranger())
            let error = await failure { () throws(AuthError) in
                try await trial.repository.reauthenticate(session, with: credential)
            }
            findings.expect(error, is: .credentialInUse)
        },
        check("deleting after an old sign-in takes a re-authentication") { trial, findings in
            try trial.environment.changes.reauthentication.required()
            let age = try trial.environment.changes.aging.required()
            let session = try await trial.session()
            try await age()
            let error = await failure { () throws(AuthError) in try await trial.repository.deleteAccount(session) }
            findings.expect(error, is: .requiresRecentSignIn)
            guard error?.code == .requiresRecentSignIn else { return }
            let proven = try await trial.proven(session)
            try await RepositoryTrial.promised(deletion, "a deletion that succeeds then") { () throws(AuthError) in
                try await trial.repository.deleteAccount(proven)
            }
        },
    ]
}

extension RepositoryTrial {
    /// Returns the session after a re-authentication.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none.
    func proven(_ session: AuthSession) async throws -> AuthSession {
        let credential = try await environment.credential()
        return try await Self.promised(AuthRepositoryContract.proof, "a session") { () throws(AuthError) in
            try await repository.reauthenticate(session, with: credential)
        }
    }
}
