public import AuthStreams
import Foundation

/// The person's own browser as a ``UserAgent``, with the answer coming back to a listener on 127.0.0.1 or to the app.
///
/// The listener is opened for the attempt and is closed when the attempt ends, whichever way it ends; after an answer
/// only once the browser has its closing page (RFC 8252 sections 7.3 and 8.3). Requests that do not answer the attempt,
/// forged ones among them, get an error page and change nothing.
///
/// With a listener, the browser is opened with a one-time page of it, which sets a cookie and leads to the provider's page. So
/// the provider's address, with the attempt's `state` and challenge, never stands in a process's arguments, where other users
/// of the machine could read it; and only an answer from the browser that fetched the page counts. The browser has to keep
/// cookies of 127.0.0.1, which every one does unless told otherwise. Where the page is fetched by two browsers, the attempt
/// ends with `stateMismatch`.
@MainActor
public struct SystemBrowser: UserAgent {
    private let opener: any ApplicationOpener
    private let callbacks: CallbackRouter?
    private let port: UInt16
    private let wait: AnswerWait

    /// Makes a user agent.
    ///
    /// - Parameters:
    ///   - opener: Opens the browser.
    ///   - callbacks: The router that the app hands every incoming URL to, which is that of the service. Pages that come back
    ///     by ``AuthorizationPage/Return/redirect(_:)`` need it; the listener does without it.
    ///   - port: The listener's port. 0, unless given, takes any free one, as providers must allow; a fixed port serves
    ///     those that do not, and one attempt at a time.
    ///   - timeLimit: How long the page may stay unanswered; ten minutes unless given.
    ///   - grace: How long the callback may come after the person is back in the app; one second unless given.
    ///   - clock: Measures both.
    public nonisolated init(
        opener: any ApplicationOpener, callbacks: CallbackRouter? = nil, port: UInt16 = 0,
        timeLimit: Duration = .seconds(600), grace: Duration = .seconds(1), clock: AuthClock = .system
    ) {
        self.opener = opener
        self.callbacks = callbacks
        self.port = port
        wait = AnswerWait(timeLimit: timeLimit, grace: grace, clock: clock)
    }

    /// Opens the page in the browser and waits for the answer.
    ///
    /// - Throws: ``AuthError`` with code `abandoned` when the person came back and no callback did, `cancelled`, `timedOut`,
    ///   `stateMismatch` when two browsers began the attempt, or `misconfigured` when no browser opens, the listener's port
    ///   cannot be had or the page comes back by a URL and there is no router.
    public func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        switch page.comesBack {
        case .redirect(let redirectURI):
            guard let callbacks else { throw Self.withoutRouter(redirectURI) }
            let handedOver = callbacks.handedOver
            let expectation = callbacks.expect { page.accepts($0, redirectURI: redirectURI) }
            let ending = await show(page.url(redirectURI: redirectURI)) {
                await expectation.callback().map(Result.success)
            }
            return try answer(
                from: ending, at: redirectURI, by: callbacks.wayBack(to: redirectURI, since: handedOver))
        case .loopback(let path):
            let redirect = try LoopbackRedirect(for: page, path: path, port: port)
            let ending = await show(redirect.start) { await redirect.callback() }
            await redirect.close(afterAnswer: ending.isTold)
            return try answer(
                from: ending, at: redirect.uri,
                by: "If they agreed: check that the browser may open \(AuthError.scrubbed(redirect.uri)).")
        }
    }

    private func show(
        _ url: URL, callback: @escaping @Sendable () async -> Result<URL, AuthError>?
    ) async -> AnswerWait.Ending {
        await wait.run(
            callback: callback, open: { [opener] in await opener.open(url, universalLinksOnly: false) })
    }

    private func answer(
        from ending: AnswerWait.Ending, at redirectURI: URL, by wayBack: @autoclosure () -> String
    ) throws(AuthError) -> AuthorizationAnswer {
        guard let url = try ending.answer(within: wait.timeLimit, by: wayBack()) else {
            throw AuthError(
                .misconfigured,
                "No browser opened. Install one, or name one in the environment variable BROWSER where that is used.")
        }
        return AuthorizationAnswer(url: url, redirectURI: redirectURI)
    }

    private static func withoutRouter(_ redirectURI: URL) -> AuthError {
        AuthError(
            .misconfigured,
            """
            The page answers at \(AuthError.scrubbed(redirectURI)), and this browser was made without the router that the \
            app hands such URLs to. Give its initializer the service's `callbacks`.
            """)
    }
}
