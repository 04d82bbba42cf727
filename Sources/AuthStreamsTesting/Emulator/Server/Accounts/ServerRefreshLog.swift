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

/// The newest refreshes that the server has carried out or refused, in order.
struct ServerRefreshLog {
    private var refreshes = RecentList<ServerRefresh>("refresh", limit: EmulatorLimit.tokens)
    private var uses = KeyedStore<Int>("refresh token's count", limit: EmulatorLimit.tokens)

    var all: [ServerRefresh] { refreshes.all }

    mutating func add(_ token: String, of userID: String?, _ answer: ServerRefresh.Answer) {
        let use = (uses[token] ?? 0) + 1
        uses[token] = use
        refreshes.append(ServerRefresh(userID: userID, use: use, answer: answer, token: Secret(token)))
    }

    func count(of token: Secret) -> Int { uses[token.reveal()] ?? 0 }
}
