extension AuthService {
    /// Makes the service of a server, its providers and a platform, and begins to read the platform's store.
    ///
    /// ```swift
    /// let auth = AuthService(
    ///     .server(URL(string: "https://api.example.com")!),
    ///     providers: [.google(clientID: "…"), .kakao(nativeAppKey: "…")],
    ///     platform: .app, api: ["https://api.example.com"])
    /// ```
    ///
    /// An existing repository or provider is `.repository(…)` and `.provider(…)`.
    ///
    /// - Parameters:
    ///   - repository: The connection to your server.
    ///   - providers: The ways to sign in, in the order in which you show them. One provider may be there several times, with
    ///     different ``AuthProvider/methodKinds``.
    ///   - platform: What they share. Use it for one service: two would share its store and its router.
    ///   - adoption: The session of another SDK, such as that of an earlier version of the app.
    ///   - sinks: Receive all events.
    ///   - api: The servers that ``data(for:)`` may send the access token to, over the platform's transport unless it has its
    ///     own; none unless given.
    public convenience init(
        _ repository: AuthRepositoryFactory, providers: [AuthProviderFactory], platform: AuthPlatform,
        adoption: SessionAdoption? = nil, sinks: [AuthEventSink] = [], api: APIAccess? = nil
    ) {
        let repository = repository.repository(for: platform)
        var platform = platform
        platform.repository = repository
        self.init(
            repository: repository,
            providers: providers.map { $0.provider(for: platform) }, store: platform.store,
            callbacks: platform.callbacks, clock: platform.clock, refreshPolicy: platform.refreshPolicy,
            adoption: adoption, sinks: sinks,
            api: api?.defaulting(to: platform.transport))
    }
}
