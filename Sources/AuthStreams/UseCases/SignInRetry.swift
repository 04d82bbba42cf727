/// Whether and when the request of a sign-in is repeated with the same credential; see ``SignIn``.
struct SignInRetry: Sendable {
    private static let retries = 2
    private static let longestPause = Duration.seconds(10)

    private let credential: Credential
    private let clock: AuthClock

    init(_ credential: Credential, clock: AuthClock) {
        self.credential = credential
        self.clock = clock
    }

    /// Runs a request, and repeats it as long as the rules allow.
    ///
    /// - Throws: The last error, or the first where the server refuses a credential that it was sent before.
    func run(_ request: () async throws -> Session) async throws(AuthError) -> Session {
        var errors: [AuthError] = []
        while true {
            do throws(AuthError) { return try await authErrors(request) } catch {
                if error.refusesCredential, let first = errors.first { throw first }
                errors.append(error)
                guard errors.count <= Self.retries, let pause = pause(after: error, count: errors.count) else {
                    throw error
                }
                do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            }
        }
    }

    /// How long to wait before the request is repeated; `nil` when it must not be.
    private func pause(after error: AuthError, count: Int) -> Duration? {
        let mayRepeat =
            switch error.code {
            case .network, .server: credential.hasTokensAlone
            case .rateLimited: true
            default: false
            }
        // Shortened by a part that differs from device to device, so that their requests spread.
        let proof = credential.idToken ?? credential.accessToken
        let pause = error.retryAfter.map { max($0, .seconds(1)) } ?? RetryPolicy.delay(after: count, spreadBy: proof)
        return mayRepeat && pause <= Self.longestPause ? pause : nil
    }
}

extension Credential {
    /// Whether none of its parts is single-use.
    fileprivate var hasTokensAlone: Bool {
        let codes = [authorizationCode?.code, serverAuthCode, pendingToken]
        return codes.allSatisfy { $0 == nil } && [idToken, accessToken].contains { $0?.present != nil }
    }
}
