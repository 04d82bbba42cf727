public import Foundation

/// A provider's page for a ``UserAgent``: the URL to open, and how the answer returns and is recognized.
public struct AuthorizationPage: Sendable {
    /// How the answer returns.
    public enum Redirect: Hashable, Sendable {
        /// The system passes this URL to the app, with the answer in its query: a scheme of the app or a claimed https
        /// link.
        case redirect(URL)
        /// A listener on this machine receives it, at an address and port that the user agent picks (RFC 8252 section
        /// 7.3). The path begins with a slash.
        case loopback(path: String)

        /// Checks the form of the redirect URI.
        ///
        /// - Throws: `misconfigured` if it is relative, has a fragment, or is plain http to another machine.
        package func validate() throws(AuthError) {
            switch self {
            case .redirect(let uri): try RedirectURI.validate(uri)
            case .loopback(let path):
                guard !path.contains("#") else {
                    throw AuthError(
                        .misconfigured, "The listener's path has a fragment, which none may have. Remove it.")
                }
            }
        }

        /// The URL by which the app is opened: that of ``redirect(_:)``. A listener's answer never comes to the app.
        public var callbackURLs: [URL] {
            if case .redirect(let redirectURI) = self { [redirectURI] } else { [] }
        }
    }

    /// How the answer returns.
    public var redirect: Redirect
    /// Where to present.
    public var presentation: PresentationContext
    private let makeURL: @Sendable (URL) -> URL
    private let isAnswer: @Sendable (URL, URL) -> Bool

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - redirect: How the answer returns.
    ///   - presentation: Where to present; the key window of the active scene unless given.
    ///   - makeURL: Returns the URL to open, given the redirect URI of the attempt.
    ///   - accepts: Returns whether a URL answers this page, given the same redirect URI. Called on any thread.
    public init(
        redirect: Redirect, presentation: PresentationContext = .automatic,
        makeURL: @escaping @Sendable (_ redirectURI: URL) -> URL,
        accepts: @escaping @Sendable (_ url: URL, _ redirectURI: URL) -> Bool
    ) {
        self.redirect = redirect
        self.presentation = presentation
        self.makeURL = makeURL
        isAnswer = accepts
    }

    /// Returns the URL to open.
    ///
    /// - Parameter redirectURI: The one of ``Redirect/redirect(_:)``, or that of the listener.
    public func url(redirectURI: URL) -> URL { makeURL(redirectURI) }

    /// Returns whether a URL answers this page: the right URL and the right `state`. It may be a refusal.
    public func accepts(_ url: URL, redirectURI: URL) -> Bool { isAnswer(url, redirectURI) }
}
