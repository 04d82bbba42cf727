package import AuthStreams
package import Foundation

extension UserAgent {
    /// Takes a request to the provider's page and reads the answer.
    ///
    /// - Parameters:
    ///   - redirectURI: What the provider is told, where that is another address than the one the answer reaches the app
    ///     at: Apple's relay. `nil` when they are the same.
    /// - Returns: The callback, and the redirect URI that the token request must repeat.
    /// - Throws: What the agent throws, what the provider answered, or what was wrong with the callback.
    package func callback(
        of request: AuthorizationRequest, comingBackBy comesBack: AuthorizationPage.Return,
        redirectURI: URL? = nil, expecting expected: ExpectedCallback, presentation: PresentationContext
    ) async throws(AuthError) -> (callback: AuthorizationCallback, redirectURI: URL) {
        let page = AuthorizationPage(
            comesBack: comesBack, presentation: presentation,
            makeURL: { request.url(redirectURI: redirectURI ?? $0) },
            accepts: { expected.accepts($0, redirectURI: $1) })
        let answer = try await authorize(page)
        let callback = try expected.parse(answer.url, redirectURI: answer.redirectURI)
        return (callback, redirectURI ?? answer.redirectURI)
    }
}
