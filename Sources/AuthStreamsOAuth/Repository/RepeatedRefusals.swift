import AuthStreams
import Foundation

extension TokenEndpoint {
    /// A refusal that a server gave of its own accord, in answer to the request as it was sent.
    struct Refusal: Equatable, Sendable {
        let status: Int
        /// The `error` code; `nil` if there is none.
        let error: String?

        /// Codes that blame the client's registration, the form of the request or the server, and not the token. Some issuers say
        /// `unauthorized_client` of a dead token, so it is not among them.
        private static let othersFaults: Set = [
            "invalid_client", "invalid_request", "invalid_scope", "invalid_target", "invalid_dpop_proof",
            "unsupported_grant_type", "use_dpop_nonce", "server_error", "temporarily_unavailable", "slow_down",
        ]

        /// `nil` unless the answer is a definite refusal: 400 or 401 without a body or with a JSON object, or 400, 401 or
        /// 403 with a code. A proxy's page, or an answer that names a proxy (RFC 9110 section 11.7.1, RFC 9209), is none.
        init?(_ response: AuthHTTPResponse) {
            guard [400, 401, 403].contains(response.status), !response.isPage,
                response.headers["proxy-authenticate"] == nil, response.headers["proxy-status"] == nil
            else { return nil }
            let members = response.jsonObject
            let error = members?["error"]?.string
            guard response.body.isEmpty || members != nil else { return nil }
            // Firewalls answer 403 without a code of OAuth.
            guard error != nil || response.status != 403 else { return nil }
            guard error.map(Self.othersFaults.contains) != true else { return nil }
            (status, self.error) = (response.status, error)
        }
    }
}

/// Counts the refusals of one refresh token that do not say that the token is dead.
///
/// An unknown answer ends no session: a server may fail in any words. The same definite refusal, again and again for ten
/// minutes, is no failure of a moment. The count is kept in memory: a new process begins again.
final class RepeatedRefusals: Sendable {
    /// How many refusals end a session.
    private static let limit = 3
    /// How much time is between the first and the last of them, at least.
    private static let duration = Duration.seconds(600)

    private struct Run {
        let token: Secret
        let refusal: TokenEndpoint.Refusal
        /// The uptime of the first one.
        let begin: Duration
        var count = 0
    }
    private let run = Lock<Run?>(nil)

    /// Adds the answer to a refresh.
    ///
    /// - Parameters:
    ///   - refusal: `nil` for an answer that is no refusal, or one that does not count: the next one is the first.
    ///   - token: The refresh token that was sent.
    ///   - uptime: When the answer came.
    /// - Returns: Whether the token counts as dead.
    func add(_ refusal: TokenEndpoint.Refusal?, of token: Secret, at uptime: Duration) -> Bool {
        run.withLock { run in
            guard let refusal else {
                run = nil
                return false
            }
            if run?.token != token || run?.refusal != refusal {
                run = Run(token: token, refusal: refusal, begin: uptime)
            }
            run?.count += 1
            guard let run else { return false }
            return run.count >= Self.limit && uptime - run.begin >= Self.duration
        }
    }
}
