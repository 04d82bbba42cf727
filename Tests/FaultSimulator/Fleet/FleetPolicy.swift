import AuthStreams

/// What a device of a fleet decides without a caller: when it refreshes, and when it retries.
protocol FleetPolicy {
    init()

    mutating func refreshed(_ session: AuthSession, at now: Timestamp)

    mutating func failed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration)

    /// The uptime of the next request; `nil` for none.
    var due: Duration? { get }

    /// Whether the access token is no longer handed out.
    func isOver(at uptime: Duration) -> Bool
}

/// The values by which the library decides it.
struct LibraryPolicy: FleetPolicy {
    private var life = TokenLifetime.endless
    private var backoff = Backoff(of: .refresh)

    mutating func refreshed(_ session: AuthSession, at now: Timestamp) {
        life = TokenLifetime(of: session, at: now)
        backoff = Backoff(of: .refresh)
    }

    mutating func failed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) {
        backoff.failed(error, spreadBy: token, at: uptime)
    }

    var due: Duration? { life.due(after: backoff) }

    func isOver(at uptime: Duration) -> Bool { life.isOver(at: uptime) }
}
