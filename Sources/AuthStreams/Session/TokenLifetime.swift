import Foundation

/// How long an access token is valid, in uptime, which setting the date does not change.
package struct TokenLifetime: Hashable, Sendable {
    /// The uptime from which it is not handed out any more; `nil` when its expiry is not known.
    let end: Duration?
    /// The uptime from which the next one is requested ahead of expiry.
    ///
    /// Between about the middle of the token's life and its last five minutes, at a point that depends on the token alone: sessions
    /// that began in the same minute are not refreshed in the same minute.
    let due: Duration?

    /// The expiry is not known.
    package static let endless = TokenLifetime(end: nil, due: nil)

    /// There is no access token yet, and the first one is requested at once.
    static let noToken = TokenLifetime(end: .zero, due: .zero)

    /// The life of a token that was just issued.
    package init(of session: AuthSession, at now: Timestamp) {
        let remaining = session.expiresAt?.timeIntervalSince(now.date)
        let life = TokenLifetime(remaining: remaining, lifetime: nil, token: session.accessToken, at: now)
        // If each token expires at once, requesting the next at once would never end.
        self.init(end: life.end, due: life.due.map { max($0, now.uptime + .seconds(Self.leeway)) })
    }

    /// The life of a token that was stored, which began by a clock that may have been set since.
    ///
    /// Refreshing too early costs a request, too late an answer of 401. So it is over wherever the clocks disagree. More is left
    /// than there ever was exactly when it is earlier now than when it was stored.
    init(of session: AuthSession, storedAt date: Date?, at now: Timestamp) {
        guard let expiresAt = session.expiresAt else {
            self = .endless
            return
        }
        let lifetime = date.map { expiresAt.timeIntervalSince($0) }
        var remaining = expiresAt.timeIntervalSince(now.date)
        // Without a refresh token a doubt would end the session, and the server has not refused it.
        guard session.refreshToken?.present != nil else {
            self.init(remaining: remaining, lifetime: lifetime, token: session.accessToken, at: now)
            return
        }
        if let lifetime, remaining > lifetime + Self.tolerance { remaining = 0 }
        // The clock was wrong then and may be right now, unless that was a moment ago.
        if let date, let issuedAt = session.issuedAt, now.date.timeIntervalSince(date) > Self.tolerance {
            let skew = issuedAt.timeIntervalSince(date)
            if abs(skew) > Self.tolerance { remaining = min(remaining, remaining + skew) }
        }
        self.init(remaining: remaining, lifetime: lifetime, token: session.accessToken, at: now)
    }

    private init(end: Duration?, due: Duration?) {
        self.end = end
        self.due = due
    }

    private init(remaining: TimeInterval?, lifetime: TimeInterval?, token: Secret?, at now: Timestamp) {
        guard let remaining else {
            self = .endless
            return
        }
        // A record may have any number, and a duration of one out of range traps.
        let left = remaining.isFinite ? min(max(remaining, 0), Self.longest) : 0
        let whole = min(max(lifetime ?? left, left), Self.longest)
        // A token of a minute must not be refreshed all the time.
        end = now.uptime + .seconds(left - min(Self.leeway, whole / 10))
        let early = min(Self.ahead, whole / 5)
        due = now.uptime + .seconds(left - early - (whole - early) / 2 * token.spread(0))
    }

    /// Seconds before the expiry from which a token counts as expired: it must still be valid when it arrives.
    private static let leeway: TimeInterval = 30
    /// Seconds before the expiry at which the next is asked for at the latest.
    private static let ahead: TimeInterval = 300
    /// Seconds by which clocks may differ without being wrong.
    private static let tolerance: TimeInterval = 60
    private static let longest: TimeInterval = 10 * 365 * 86_400

    /// The lifetime of a token that a refresh did not replace: the next is requested after half of the rest, at least 30 s.
    func postponed(at uptime: Duration) -> TokenLifetime {
        let rest = end.map { ($0 - uptime) / 2 } ?? .zero
        return TokenLifetime(end: end, due: due.map { max($0, uptime + max(rest, .seconds(Self.leeway))) })
    }

    /// The uptime of the next automatic refresh; `nil` for none.
    ///
    /// After a failure it is retried until the server has confirmed it, and not before the server allows it.
    package func due(after backoff: Backoff) -> Duration? {
        (backoff.notBefore ?? due).map { max($0, backoff.heldUntil ?? .zero) }
    }

    package func isOver(at uptime: Duration) -> Bool {
        guard let end else { return false }
        return uptime >= end
    }
}
