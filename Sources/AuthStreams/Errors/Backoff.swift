import Foundation

/// The times at which an operation that failed is tried again.
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
package struct Backoff: Hashable, Sendable {
    /// What is tried again.
    package enum Operation: Hashable, Sendable {
        /// The refresh of a session, until the server has decided about it.
        case refresh
        /// The first refresh of an adoptable session, as long as asking again may help. Until it is known whose that is,
        /// the launch screen shows, so that no wait takes more than a minute, unless the server asks for it.
        case adoption(isUserKnown: Bool)
        /// The request of a sign-in, for which a person waits: twice, each time after at most ten seconds. A request whose answer may
        /// have been lost is not sent again with a proof that the server takes once.
        case signIn(isRepeatable: Bool)
        /// A whole attempt, so many times, after 1 s, 2 s, 4 s … up to a minute; not one that timed out or was abandoned.
        case attempt(retries: Int)
        /// The suggestions of AutoFill, which the person has not asked for: repeated without end, at the intervals of an attempt.
        case suggestions
        /// Reading or writing a store, until it works.
        case store
        /// A storage that is locked, and may not say when it is unlocked: at once, then after 1 s, 2 s … up to five.
        case unlock
    }

    private let operation: Operation
    package private(set) var failures = 0
    /// Those that the server may share with other devices.
    private var serverFailures = 0
    /// The failures that may last: the server answered in a form or with a code that the client does not know, where a proxy may
    /// have answered instead, or the store failed while the launch screen shows.
    private var doubtful = 0
    /// The earliest uptime of the next automatic retry; `nil` if there is none.
    package private(set) var notBefore: Duration?
    /// The earliest uptime of any retry, because the server said so.
    private(set) var heldUntil: Duration?

    package init(of operation: Operation) { self.operation = operation }

    /// Counts a failure.
    ///
    /// - Parameters:
    ///   - token: Spreads the retries of devices.
    ///   - uptime: When it failed.
    /// - Returns: The time until the next automatic retry; `nil` if it would not help.
    @discardableResult
    package mutating func failed(
        _ error: AuthError, spreadBy token: Secret? = nil, at uptime: Duration = .zero
    ) -> Duration? {
        failures += 1
        switch error.code {
        case .invalidResponse, .refused: doubtful += 1
        case .storage where operation == .adoption(isUserKnown: false): doubtful += 1
        default: break
        }
        // From one second to an hour, even if the server asks for less or more.
        let asked = error.retryAfter.map { min(max($0, .seconds(1)), .seconds(3600)) }
        heldUntil = asked.map { uptime + $0 }
        let delay = mayHelp(after: error) ? delay(after: error, asked, spreadBy: token, at: uptime) : nil
        notBefore = delay.map { uptime + $0 }
        return delay
    }

    /// Whether trying again may help.
    private func mayHelp(after error: AuthError) -> Bool {
        switch operation {
        case .refresh, .store, .unlock, .suggestions: true
        case .adoption:
            switch error.code {
            case .invalidResponse, .refused, .storage: doubtful < 3
            default: error.isRetryable
            }
        case .signIn(let isRepeatable):
            switch error.code {
            case .network, .server: isRepeatable && failures <= 2
            case .rateLimited: failures <= 2
            default: false
            }
        case .attempt(let retries):
            failures <= retries && error.isRetryable && error.code != .timedOut && error.code != .abandoned
        }
    }

    private mutating func delay(
        after error: AuthError, _ asked: Duration?, spreadBy token: Secret?, at uptime: Duration
    ) -> Duration? {
        switch operation {
        case .store: return pause(failures, spreadBy: token)
        case .unlock: return .seconds(min(failures - 1, 5))
        case .attempt, .suggestions: return error.retryAfter ?? .seconds(min(60, 1 << min(failures - 1, 6)))
        case .signIn:
            let delay = asked ?? pause(failures, spreadBy: token)
            return delay <= .seconds(10) ? delay : nil
        case .refresh, .adoption: break
        }
        let isOfServer = !error.isOfThisDevice
        if isOfServer { serverFailures += 1 }
        let delay = pause(isOfServer ? serverFailures : failures, spreadBy: token)
        if operation == .adoption(isUserKnown: false) { return max(asked ?? .zero, min(delay, .seconds(60))) }
        // A failure of this device does not make the next request to the server earlier.
        guard isOfServer else { return max(delay, (notBefore ?? uptime) - uptime) }
        let isQuick = serverFailures <= 2
        if isQuick, asked == nil { return delay }
        return max(asked ?? .zero, isQuick ? .zero : .seconds(120))
            + .seconds(1200) * token.spread(UInt8(truncatingIfNeeded: failures))
    }

    /// 1 s, 2 s, 4 s … up to five minutes, each shortened by up to a half.
    private func pause(_ failures: Int, spreadBy token: Secret?) -> Duration {
        .seconds(min(300, 1 << min(failures - 1, 9))) * (0.5 + 0.5 * token.spread(UInt8(truncatingIfNeeded: failures)))
    }
}

extension Secret? {
    /// A number from 0 up to 1 that differs from token to token and from salt to salt, to spread devices evenly.
    func spread(_ salt: UInt8) -> Double {
        // Mixed for an even spread of bits. Nothing depends on the value being hard to guess.
        var hash = (Array((self?.reveal() ?? "").utf8) + [salt]).stableHash
        hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return Double(hash >> 11) / Double(1 << 53)
    }
}
