public import AuthStreams
import Foundation

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

/// Takes the place of a device that a test does not have: nothing opens, and nothing is sent.
@MainActor
struct AbsentDevice: ApplicationOpener, UserAgent, AuthHTTPTransport {
    func canOpen(_ url: URL) -> Bool { false }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        throw AuthError(
            .misconfigured, "An isolated platform shows no page. Use a scripted provider, or an emulated device.")
    }

    nonisolated func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        throw AuthError(.network, "An isolated platform has no network. Give it a transport.")
    }
}
