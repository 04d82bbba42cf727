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
            findings.expectSession(of: session.user, in: result)
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

extension AuthRepositoryContract {
    /// The promise that the following depend on.
    static let question = "the answer to a challenge makes a session"

    /// Further steps of a sign-in.
    static let challenged = [
        check(question) { trial, findings in
            let challenges = try trial.environment.challenges.required()
            let credential = try await challenges.credential()
            let error = await failure { () throws(AuthError) in try await trial.repository.signIn(with: credential) }
            guard let challenge = error?.challenge else {
                return findings.add(
                    "an error with a challenge",
                    saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "a session")")
            }
            findings.expect(
                error, is: .secondFactorRequired, .verificationRequired, .registrationRequired, .additionalStepRequired)
            let answer = try await challenges.answer(challenge)
            let result = await result { () throws(AuthError) in
                try await trial.repository.answer(challenge, with: answer, in: nil)
            }
            guard let session = findings.expect("a session", of: result) else { return }
            findings.expect(
                session.provider == credential.provider, "'\(credential.provider)'", saw: "saw '\(session.provider)'")
            findings.expect(!session.user.id.isEmpty, "a user with an id", saw: "the id is empty")
            findings.expect(!session.accessToken.isEmpty, "an access token", saw: "it is empty")
        },
        check("an answer to a challenge counts once") { trial, findings in
            let challenge = try await trial.challenge()
            let answer = try await trial.environment.challenges.required().answer(challenge)
            try await RepositoryTrial.promised(question, "a session") { () throws(AuthError) in
                _ = try await trial.repository.answer(challenge, with: answer, in: nil)
            }
            let error = await failure { () throws(AuthError) in
                try await trial.repository.answer(challenge, with: answer, in: nil)
            }
            findings.expect(error != nil, "an error of the second answer", saw: "saw a session")
        },
        check("after a wrong answer the challenge of the error counts") { trial, findings in
            let challenges = try trial.environment.challenges.required()
            let wrongAnswer = try challenges.wrongAnswer.required()
            let challenge = try await trial.challenge()
            let wrong = try await wrongAnswer(challenge)
            let error = await failure { () throws(AuthError) in
                try await trial.repository.answer(challenge, with: wrong, in: nil)
            }
            findings.expect(error, is: .codeMismatch, .invalidInput)
            guard let next = error?.challenge else {
                return findings.add("the challenge in that error", saw: "there was none")
            }
            let answer = try await challenges.answer(next)
            let result = await result { () throws(AuthError) in
                try await trial.repository.answer(next, with: answer, in: nil)
            }
            findings.expect("a session of the right answer then", of: result)
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
