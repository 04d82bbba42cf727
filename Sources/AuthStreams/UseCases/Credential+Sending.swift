extension Credential {
    /// Sends the credential. While the server refuses it and another answer of the attempt may come, sends that.
    ///
    /// - Throws: The last error of a request, or why no other credential came.
    func sending<Answer>(
        by request: (Credential) async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        var credential = self
        while true {
            do throws(AuthError) { return try await request(credential) } catch {
                credential = try await credential.replacement(after: error)
            }
        }
    }

    /// Waits for the next credential of the same attempt, after the server has refused this one, or a password could not be checked.
    ///
    /// - Throws: The error, if there is none, or none is waited for.
    private func replacement(after error: AuthError) async throws(AuthError) -> Credential {
        let error = password != nil ? error.withoutHint : error
        guard error.refusesCredential || password != nil && error.mayBeAnsweredAgain else { throw error }
        return try await AuthError.wrapping { try await replacement.next(error) }
    }

    /// Runs the request of a sign-in with it, and repeats it as long as ``Backoff`` allows.
    ///
    /// - Throws: The last error, or the first where the server refuses a credential that it was sent before.
    func retrying(on clock: AuthClock, _ request: () async throws -> AuthSession) async throws(AuthError) -> AuthSession
    {
        var (backoff, first) = (Backoff(of: .signIn(isRepeatable: hasTokensAlone)), AuthError?.none)
        while true {
            do throws(AuthError) { return try await AuthError.wrapping(request) } catch {
                if error.refusesCredential, let first { throw first }
                first = first ?? error
                // Each try of a password counts at the server, and is the person's own.
                guard password == nil, let pause = backoff.failed(error, spreadBy: idToken ?? accessToken) else {
                    throw error
                }
                do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            }
        }
    }

    /// Whether none of its parts is single-use.
    private var hasTokensAlone: Bool {
        let codes = [authorizationCode?.code, serverAuthCode, pendingToken]
        return codes.allSatisfy { $0 == nil } && [idToken, accessToken].contains { $0?.present != nil }
    }
}
