import AuthStreams
import Foundation

/// What a web authentication session opens, and where it ends.
struct WebTarget: Sendable {
    let url: URL
    let redirectURI: URL
    let callback: WebCallback

    /// - Parameter hasCallbacks: Whether the system knows https callbacks.
    /// - Throws: `misconfigured` if the page answers where no session ends, or is not on the web.
    init(_ page: AuthorizationPage, hasCallbacks: Bool) throws(AuthError) {
        guard case .redirect(let redirectURI) = page.redirect else { throw WebCallback.needsAnotherRedirect }
        callback = try WebCallback(for: redirectURI, allowsHTTPS: hasCallbacks)
        self.redirectURI = redirectURI
        url = page.url(redirectURI: redirectURI)
        // The system raises an exception for others.
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw AuthError(.misconfigured, "The provider's page is no web page. Correct the endpoint: an https URL.")
        }
    }

    /// Returns the URL that a session ended with.
    ///
    /// - Throws: The session's error, `timedOut` past the limit, or `cancelled`.
    @MainActor
    func answer(
        within limit: Duration, _ clock: AuthClock, _ session: @escaping @MainActor @Sendable () async throws -> URL
    ) async throws(AuthError) -> URL {
        do throws(AuthError) {
            return try await AuthStream { try await session() }.timeout(limit, clock: clock).value
        } catch  where error.code == .timedOut {
            throw AuthError(
                .timedOut,
                """
                The provider's page did not answer within \(limit). If the person agreed: check that the provider's console \
                names the redirect URI \(AuthError.scrubbed(redirectURI)).
                """)
        }
    }
}
