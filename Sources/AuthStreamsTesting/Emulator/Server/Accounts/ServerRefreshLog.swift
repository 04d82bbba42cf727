import AuthStreams

/// One refresh token that was sent to the app's emulated server, and the result.
public struct ServerRefresh: Hashable, Sendable {
    /// The server's answer.
    public enum Answer: Hashable, Sendable {
        /// The next tokens.
        case replaced
        /// The same next refresh token once more, within the reuse window.
        case repeated
        /// A problem of that type, such as `refresh-token-reused`.
        case refused(String)
    }

    /// The token's user; `nil` for a token that the server never issued.
    public let userID: String?
    /// How often this token was sent, including this time.
    public let use: Int
    /// The server's answer, whether or not the client received it.
    public let answer: Answer
    let token: Secret
}

extension ServerRefresh: CustomStringConvertible, CustomReflectable {
    /// Such as `user-1 2 repeated`; never the token.
    public var description: String { "\(userID ?? "unknown") \(use) \(answer)" }
    /// A mirror without children, because one would be the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Every refresh that the server has carried out or refused, in order.
struct ServerRefreshLog {
    private(set) var all: [ServerRefresh] = []
    private var uses: [String: Int] = [:]

    mutating func add(_ token: String, of userID: String?, _ answer: ServerRefresh.Answer) {
        uses[token, default: 0] += 1
        all.append(
            ServerRefresh(userID: userID, use: uses[token] ?? 1, answer: answer, token: Secret(token)))
    }

    func count(of token: Secret) -> Int { uses[token.reveal()] ?? 0 }
}
