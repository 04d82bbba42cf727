import AuthStreams

/// What happens to the server of a fleet, in seconds of simulated time.
struct FleetScenario: Sendable {
    let title: String
    /// Devices sign in at an even pace until then.
    let signedIn: Int
    /// When refreshes fail.
    let trouble: Range<Int>
    /// What a refresh in the time of trouble fails with; the parameter is the rest of that time.
    let error: @Sendable (Duration) -> AuthError

    /// How long it is looked at.
    static let end = 5 * hour
    static let hour = 3600

    static let all = [
        FleetScenario(
            title: "The server is down for ten minutes.", signedIn: hour, trouble: 2 * hour..<2 * hour + 600,
            error: { _ in AuthError(.network, "The connection is refused.") }),
        FleetScenario(
            title: "For ten minutes the server answers 429, with a Retry-After that names their end.",
            signedIn: hour, trouble: 2 * hour..<2 * hour + 600,
            error: { AuthError(.rateLimited, "Too many requests.", retryAfter: $0) }),
        FleetScenario(
            title: "All devices sign in within the first minute, and the server restarts at the top of the hour.",
            signedIn: 60, trouble: 2 * hour..<2 * hour + 60,
            error: { _ in AuthError(.server, "The server restarts.") }),
    ]

    /// - Returns: `nil` when a refresh succeeds.
    func failure(at uptime: Duration) -> AuthError? {
        guard uptime >= .seconds(trouble.lowerBound), uptime < .seconds(trouble.upperBound) else { return nil }
        return error(.seconds(trouble.upperBound) - uptime)
    }
}
