public import AuthStreams

extension AuthPlatform {
    /// A platform for tests without a device: the session in memory, no network, no page and no other app.
    ///
    /// ```swift
    /// let auth = AuthService(
    ///     .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
    /// ```
    ///
    /// - Parameters:
    ///   - store: The session's store; in memory unless given.
    ///   - redirect: How pages would return their answers.
    ///   - transport: The network; unless given, every request fails with `network`.
    ///   - clock: The time; the system's unless given.
    public static func isolated(
        store: any SessionStore = MemorySessionStore(), redirect: Redirect = .appURL,
        transport: (any AuthHTTPTransport)? = nil, clock: AuthClock = .system
    ) -> AuthPlatform {
        AuthPlatform(
            store: store, opener: AbsentDevice(), redirect: redirect, transport: transport ?? AbsentDevice(),
            clock: clock
        ) { _ in AbsentDevice() }
    }
}
