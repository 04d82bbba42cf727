/// What one would write without this package: an actor that holds a token, and shares one `Task` among those who need a new
/// one.
actor TokenActor {
    private let clock = ContinuousClock()
    private let fetch: @Sendable () async throws -> String
    private var token: String
    private var end: ContinuousClock.Instant
    private var refresh: Task<String, any Error>?

    /// - Parameters:
    ///   - life: How long each token is good.
    ///   - isExpired: Whether the first one is over already.
    ///   - fetch: Gets the next one.
    init(_ token: String, life: Duration, isExpired: Bool, fetch: @escaping @Sendable () async throws -> String) {
        self.token = token
        self.fetch = fetch
        end = isExpired ? clock.now : clock.now + life
    }

    func accessToken() async throws -> String {
        if clock.now < end { return token }
        if let refresh { return try await refresh.value }
        let task = Task { [fetch] in try await fetch() }
        refresh = task
        defer { refresh = nil }
        token = try await task.value
        end = clock.now + .seconds(3600)
        return token
    }
}
