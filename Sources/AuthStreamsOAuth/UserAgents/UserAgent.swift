public import AuthStreams
public import Foundation

/// Shows a provider's page to the person and brings back the answer: the system browser, a browser sheet, or a script.
///
/// ## What an implementation promises
///
/// - It waits before it shows: the way back is open by the time the page is.
/// - A URL that the page does not accept is answered politely and ignored, while the attempt goes on waiting.
/// - It always ends: with an answer, with `cancelled` when the person closes the page or the task is cancelled, with
///   `abandoned` when they come back without an answer and nothing says why, or with `timedOut`. It has closed what it opened by then.
/// - It never embeds the page in a view of the app, where the app could read the password (RFC 8252 section 8.12).
@MainActor
public protocol UserAgent: Sendable {
    /// Shows a page and returns the URL by which the provider answered.
    ///
    /// - Throws: ``AuthError`` with code `cancelled`, `abandoned`, `timedOut`, or `misconfigured` when there is nothing to show the
    ///   page with, or no way back.
    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer
}

/// How a provider answered an ``AuthorizationPage``.
public struct AuthorizationAnswer: Sendable {
    /// The callback URL as it came. It may hold a code, so it is never printed.
    public var url: URL
    /// The redirect URI that was in force, which the token request must repeat (RFC 6749 section 4.1.3).
    public var redirectURI: URL

    /// Makes an answer.
    public init(url: URL, redirectURI: URL) {
        self.url = url
        self.redirectURI = redirectURI
    }
}

extension AuthorizationAnswer: CustomStringConvertible, CustomReflectable {
    /// The redirect URI; never the callback's query.
    public var description: String { "answer at \(AuthError.scrubbed(redirectURI))" }
    /// A mirror without children, because the callback holds a code.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
