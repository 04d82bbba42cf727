public import Foundation

/// Shows a provider's page to the person and returns the answer: the system browser, a browser sheet, or a script.
///
/// ## What an implementation promises
///
/// - It begins to wait for the answer before it shows the page, so that no answer is missed.
/// - It ignores a URL that the page does not accept, and the attempt continues to wait. A listener answers it with an error
///   page.
/// - It always ends: with an answer, with `cancelled` if the person closes the page or the task is cancelled, with
///   `abandoned` if they come back without an answer, or with `timedOut`. By then it has closed its listener and its
///   sheet.
/// - It calls ``AuthorizationPage/prepare(redirectURI:)`` before it opens the URL of a page that answers to its
///   listener.
/// - It never embeds the page in a view of the app, where the app could read the password (RFC 8252 section 8.12).
@MainActor
public protocol UserAgent: Sendable {
    /// Shows a page and returns the URL of the provider's answer.
    ///
    /// - Throws: `AuthError` with code `cancelled`, `abandoned`, `timedOut`, `stateMismatch` if two browsers began
    ///   the page, or `misconfigured` if the page cannot be shown or its answer cannot be received.
    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer

    /// Whether the system opens the app with the answer, so that it may come to a later process: `true` unless given.
    ///
    /// The attempt is then stored while the page is shown. A sheet whose answer ends with the process that shows it returns
    /// `false`.
    var opensAppWithAnswer: Bool { get }

    /// Whether an answer by a URL of the app is bound to its attempt: `false` unless given. See ``AuthorizationAnswer/isBound``.
    ///
    /// It is asked before the page is shown, and its answer stored with the attempt: that decides for an answer that comes to a
    /// later process.
    var bindsAnswers: Bool { get }

    /// The routers on which it waits for answers; none unless given. See ``AuthProvider/callbackRouters``.
    nonisolated var callbackRouters: [CallbackRouter] { get }
}

extension UserAgent {
    /// `true`, as with a browser.
    public var opensAppWithAnswer: Bool { true }

    /// `false`.
    public var bindsAnswers: Bool { false }

    /// None.
    public nonisolated var callbackRouters: [CallbackRouter] { [] }
}

/// A provider's answer to an ``AuthorizationPage``.
public struct AuthorizationAnswer: Sendable {
    /// The callback URL as it arrived. It may contain a code, so it is never printed.
    public var url: URL
    /// The redirect URI of the attempt, which the token request must repeat (RFC 6749 section 4.1.3).
    public var redirectURI: URL
    /// Whether only the person's browser can have sent it: no other app, program or user of the machine could read the page's
    /// URL before the browser did. See ``Credential/isBound``.
    public var isBound: Bool

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - url: The callback URL as it arrived.
    ///   - redirectURI: The redirect URI of the attempt.
    ///   - isBound: Whether only the person's browser can have sent it; `false` unless given.
    public init(url: URL, redirectURI: URL, isBound: Bool = false) {
        self.url = url
        self.redirectURI = redirectURI
        self.isBound = isBound
    }
}

extension AuthorizationAnswer: DescriptionOnly {
    /// The redirect URI; never the callback's query, which holds a code.
    public var description: String { "answer at \(AuthError.scrubbed(redirectURI))" }
}

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
    private let preparation: @Sendable (URL) async throws(AuthError) -> Void
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
        self.init(
            redirect: redirect, presentation: presentation, prepare: { _ in }, makeURL: makeURL, accepts: accepts)
    }

    /// Makes a page whose URL is known after a request to the server.
    ///
    /// - Parameter prepare: Sends the request, given the redirect URI of the attempt.
    package init(
        redirect: Redirect, presentation: PresentationContext,
        prepare: @escaping @Sendable (_ redirectURI: URL) async throws(AuthError) -> Void,
        makeURL: @escaping @Sendable (_ redirectURI: URL) -> URL,
        accepts: @escaping @Sendable (_ url: URL, _ redirectURI: URL) -> Bool
    ) {
        self.redirect = redirect
        self.presentation = presentation
        preparation = prepare
        self.makeURL = makeURL
        isAnswer = accepts
    }

    /// Sends the page's parameters to a server that takes them before the page is shown (RFC 9126).
    ///
    /// A user agent with a listener calls it once, when its redirect URI is known and before ``url(redirectURI:)``. For
    /// a page that answers by ``Redirect/redirect(_:)`` it was called already.
    ///
    /// - Parameter redirectURI: That of the listener.
    /// - Throws: ``AuthError``; the server's error, or that of the request.
    public func prepare(redirectURI: URL) async throws(AuthError) { try await preparation(redirectURI) }

    /// Returns the URL to open.
    ///
    /// - Parameter redirectURI: The one of ``Redirect/redirect(_:)``, or that of the listener.
    public func url(redirectURI: URL) -> URL { makeURL(redirectURI) }

    /// Returns whether a URL answers this page: the right URL and the right `state`. It may be a refusal.
    public func accepts(_ url: URL, redirectURI: URL) -> Bool { isAnswer(url, redirectURI) }
}
