import AuthStreams
import AuthStreamsTesting
import Foundation

/// ID tokens as a provider would sign them, and the keys they are verified with.
enum SignedTokens {
    /// When every token here is issued; they work for an hour.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// A clock that stands at ``now``.
    static var clock: AuthClock { ManualClock().authClock(startingAt: now) }

    /// Claims of a good token, with changes. A `null` takes a claim away.
    static func claims(_ changes: [String: JSONValue]) -> [String: JSONValue] {
        ["sub": "1001", "iat": 1_800_000_000, "exp": 1_800_003_600].merging(changes) { $1 }.filter { $0.value != .null }
    }

    static func token(host: String, _ claims: [String: JSONValue]) -> String {
        TokenSigner().token(claims, host: host)
    }

    static func keys(host: String) throws -> HTTPResponse { try .json(TokenSigner().keySet(host: host)) }
}
