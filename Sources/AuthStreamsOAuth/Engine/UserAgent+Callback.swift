package import AuthStreams
package import Foundation

extension UserAgent {
    /// Opens the provider's page with a request and reads the answer.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI for the provider, if it is not the address at which the app receives the
    ///     answer: Apple's relay. Otherwise `nil`.
    /// - Returns: The callback, and the redirect URI that the token request must repeat.
    /// - Throws: The agent's error, the provider's error, or the error of an invalid callback.
    package func callback(
        of request: AuthorizationRequest, comingBackBy comesBack: AuthorizationPage.Return,
        redirectURI: URL? = nil, expecting expected: ExpectedCallback, presentation: PresentationContext
    ) async throws(AuthError) -> (callback: AuthorizationCallback, redirectURI: URL) {
        try request.validate()
        let page = AuthorizationPage(
            comesBack: comesBack, presentation: presentation,
            makeURL: { request.url(redirectURI: redirectURI ?? $0) },
            accepts: { expected.accepts($0, redirectURI: $1) })
        let answer = try await authorize(page)
        let callback = try expected.parse(answer.url, redirectURI: answer.redirectURI)
        return (callback, redirectURI ?? answer.redirectURI)
    }
}
