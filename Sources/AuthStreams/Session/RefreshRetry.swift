import Foundation

/// When a refresh that failed is tried again: 1 s, 2 s, 4 s … up to five minutes, each shortened by up to a half.
///
/// The shortening spreads devices that failed together. It depends on the token and the count alone, so it needs no
/// randomness and is the same whenever it is computed.
struct RefreshRetry: Equatable, Sendable {
    private(set) var failures = 0
    /// Uptime before which nobody asks by itself.
    private(set) var notBefore: Duration?
    /// Uptime before which nobody asks at all, because the server said so.
    private(set) var heldUntil: Duration?

    /// - Returns: How long nobody asks by itself.
    mutating func failed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) -> Duration {
        failures += 1
        var delay = Self.delay(after: failures, spreadBy: token)
        heldUntil = nil
        if let asked = error.retryAfter {
            // Never at once, and not in a year, whatever the server asks for.
            let wait = min(max(asked, .seconds(1)), .seconds(3600))
            heldUntil = uptime + wait
            delay = max(wait, delay)
        }
        notBefore = uptime + delay
        return delay
    }

    static func delay(after failures: Int, spreadBy token: Secret?) -> Duration {
        let whole = Duration.seconds(min(300, 1 << min(failures - 1, 9)))
        // Stirred for an even spread of bits. Nothing depends on the value being hard to guess.
        let bytes = Array((token?.reveal() ?? "").utf8) + [UInt8(truncatingIfNeeded: failures)]
        var hash = bytes.stableHash
        hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return whole * (0.5 + 0.5 * Double(hash >> 11) / Double(1 << 53))
    }
}
