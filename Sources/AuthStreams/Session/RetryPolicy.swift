import Foundation

/// The times at which a failed refresh or a failed write is retried.
///
/// The first two failures of the server are retried after up to 1 s and 2 s, which bridge a short interruption of one device.
/// A server that recovers answers all devices at once. So from the third failure on each device waits for two minutes, or for
/// a longer `Retry-After`, and then for a part of twenty minutes. An earlier failure with a `Retry-After` waits for that and
/// such a part. A fleet that failed for ten minutes spreads its retries over twenty, and the server gets at most twice its
/// usual requests.
///
/// A failure of one device alone, a store or a missing network, is retried after 1 s, 2 s, 4 s … up to five minutes, each
/// shortened by up to a half.
///
/// The part depends on the token and the count alone, so it needs no randomness and is the same whenever it is computed.
package struct RetryPolicy: Hashable, Sendable {
    /// The resource that is retried.
    package enum Resource: Sendable { case server, store }

    private let resource: Resource
    package private(set) var failures = 0
    /// Those that the server may share with other devices.
    private var serverFailures = 0
    /// The earliest uptime of the next automatic retry.
    package private(set) var notBefore: Duration?
    /// The earliest uptime of any retry, because the server said so.
    private(set) var heldUntil: Duration?

    package init(of resource: Resource = .server) { self.resource = resource }

    /// - Returns: The time until the next automatic retry.
    @discardableResult
    package mutating func failed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) -> Duration {
        failures += 1
        // From one second to an hour, even if the server asks for less or more.
        let asked = error.retryAfter.map { min(max($0, .seconds(1)), .seconds(3600)) }
        heldUntil = asked.map { uptime + $0 }
        let isOfServer = resource == .server && !error.isOfThisDevice
        if isOfServer { serverFailures += 1 }
        var delay = Self.delay(after: isOfServer ? serverFailures : failures, spreadBy: token)
        if resource == .server, !isOfServer {
            // A failure of this device does not make the next request to the server earlier.
            delay = max(delay, (notBefore ?? uptime) - uptime)
        } else if isOfServer, asked != nil || serverFailures > Self.quickRetries {
            let pause = max(asked ?? .zero, serverFailures > Self.quickRetries ? .seconds(120) : .zero)
            delay = pause + Self.window * token.spread(UInt8(truncatingIfNeeded: failures))
        }
        notBefore = uptime + delay
        return delay
    }

    /// 1 s, 2 s, 4 s … up to five minutes, each shortened by up to a half.
    static func delay(after failures: Int, spreadBy token: Secret?) -> Duration {
        let whole = Duration.seconds(min(300, 1 << min(failures - 1, 9)))
        return whole * (0.5 + 0.5 * token.spread(UInt8(truncatingIfNeeded: failures)))
    }

    private static let quickRetries = 2
    /// Over how long the retries of devices that failed together are spread.
    private static let window = Duration.seconds(1200)
}

extension Secret? {
    /// A number from 0 up to 1 that differs from token to token and from salt to salt, to spread devices evenly.
    func spread(_ salt: UInt8) -> Double {
        // Stirred for an even spread of bits. Nothing depends on the value being hard to guess.
        var hash = (Array((self?.reveal() ?? "").utf8) + [salt]).stableHash
        hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return Double(hash >> 11) / Double(1 << 53)
    }
}
