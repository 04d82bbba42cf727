public import AuthStreams
import Foundation
import LoopbackHTTP

/// The person's own browser as a `UserAgent`, with the answer returning to a listener on this machine or to the app.
///
/// The listener is opened for the attempt and closed when the attempt ends; after an answer once the browser has
/// received its closing page (RFC 8252 sections 7.3 and 8.3). Other requests, such as forged ones, get an error page
/// and do not end the attempt. The pages are in English and Korean; the language that the browser prefers stands first.
///
/// With a listener, the browser first opens a one-time start page of the listener, which sets a cookie and redirects to the
/// provider's page. So the provider's URL, with the attempt's `state` and challenge, is not in a process's arguments, where
/// other users of the machine could read it. Only an answer from the browser that fetched the start page counts. The browser
/// has to accept cookies for the listener's address; one that blocks them gets an error page, and the attempt continues
/// to wait. If two browsers fetch the start page, or one without cookies fetches it twice, the attempt ends with
/// `stateMismatch`.
///
/// Another user of the machine could fetch the start page first, and answer with an account of their own. So on Linux the
/// listener closes connections that are not of this user (or of root), and ``SystemBrowserLauncher`` keeps the page's address
/// out of arguments where it can. Where the opener does not hide its URLs (`ApplicationOpener.hidesURLs`), and the system does
/// not say whose a connection is, or root connected, whose connection may be a relay's, the answer is not bound
/// (`Credential.isBound`): it can sign in, and neither link an identity nor re-authenticate.
///
/// The listener is for Linux and for tools on macOS. On iOS, tvOS, watchOS and visionOS, also with Mac Catalyst, the browser is
/// another app, and the system suspends the one that listens: pages answer there by `AuthorizationPage.Redirect.redirect(_:)`
/// alone. An app usually shows them in a web authentication session instead: `WebAuthenticationAgent` of AuthStreamsApple.
@MainActor
public struct SystemBrowser: UserAgent {
    private let opener: any ApplicationOpener
    private let callbacks: CallbackRouter?
    /// Where the listener is; `nil` where the system would suspend it.
    private let listener: (address: LoopbackAddress, port: UInt16)?
    private let wait: CallbackWait

    /// Makes a user agent.
    ///
    /// - Parameters:
    ///   - opener: Opens the browser.
    ///   - callbacks: The router that the app passes every incoming URL to; that of the service. Pages that answer by
    ///     `AuthorizationPage.Redirect.redirect(_:)` need it; pages that answer the listener do not.
    ///   - address: The listener's address; 127.0.0.1 unless given.
    ///   - port: The listener's port. 0, the default, takes any free one, which providers must allow (RFC 8252 section 7.3). A
    ///     fixed port is for providers that do not, and allows one attempt at a time.
    ///   - timeLimit: How long to wait for the answer; ten minutes unless given.
    ///   - grace: How long the callback may take after the person is back in the app; one second unless given.
    ///   - clock: Measures both.
    @available(
        iOS, unavailable, message: "Leave out `address` and `port`, or use WebAuthenticationAgent of AuthStreamsApple."
    )
    @available(
        tvOS, unavailable, message: "Leave out `address` and `port`, or use WebAuthenticationAgent of AuthStreamsApple."
    )
    @available(
        watchOS, unavailable,
        message: "Leave out `address` and `port`, or use WebAuthenticationAgent of AuthStreamsApple."
    )
    @available(
        visionOS, unavailable,
        message: "Leave out `address` and `port`, or use WebAuthenticationAgent of AuthStreamsApple."
    )
    public nonisolated init(
        opener: any ApplicationOpener, callbacks: CallbackRouter? = nil, address: LoopbackAddress = .ipv4,
        port: UInt16 = 0, timeLimit: Duration = .seconds(600), grace: Duration = .seconds(1), clock: AuthClock = .system
    ) {
        self.opener = opener
        self.callbacks = callbacks
        listener = (address, port)
        wait = CallbackWait(timeLimit: timeLimit, grace: grace, clock: clock)
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        /// Makes a user agent for pages that answer by a URL of the app.
        ///
        /// - Parameters:
        ///   - opener: Opens the browser.
        ///   - callbacks: The router that the app passes every incoming URL to; that of the service.
        ///   - timeLimit: How long to wait for the answer; ten minutes unless given.
        ///   - grace: How long the callback may take after the person is back in the app; one second unless given.
        ///   - clock: Measures both.
        public nonisolated init(
            opener: any ApplicationOpener, callbacks: CallbackRouter, timeLimit: Duration = .seconds(600),
            grace: Duration = .seconds(1), clock: AuthClock = .system
        ) {
            self.opener = opener
            self.callbacks = callbacks
            listener = nil
            wait = CallbackWait(timeLimit: timeLimit, grace: grace, clock: clock)
        }
    #endif

    /// Makes a user agent whose browser is emulated in the process of a test, on any system.
    package nonisolated init(emulatedBy opener: any ApplicationOpener, callbacks: CallbackRouter, clock: AuthClock) {
        self.opener = opener
        self.callbacks = callbacks
        listener = (.ipv4, 0)
        wait = CallbackWait(timeLimit: .seconds(600), grace: .seconds(1), clock: clock)
    }

    /// Whether the opener hides its URLs.
    public var bindsAnswers: Bool { opener.hidesURLs }

    /// The router that it was made with.
    public nonisolated var callbackRouters: [CallbackRouter] { callbacks.map { [$0] } ?? [] }

    /// Opens the page in the browser and waits for the answer.
    ///
    /// - Throws: `AuthError` with code `abandoned` if the person came back and no callback arrived, `cancelled`,
    ///   `timedOut`, `stateMismatch` if two browsers began the attempt, or `misconfigured` if no browser opens, the
    ///   listener's address or port is not available, or the page answers by a URL that opens no app or that no router receives.
    public func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        switch page.redirect {
        case .redirect(let redirectURI):
            guard redirectURI.scheme?.lowercased() != "http" else { throw Self.notAnApp(redirectURI) }
            guard let callbacks else { throw Self.withoutRouter(redirectURI) }
            let url = page.url(redirectURI: redirectURI)
            try opener.validateConfiguration(toOpen: url, answeringAt: redirectURI)
            let handedOver = callbacks.handedOver
            let diagnostics = CallbackDiagnostics()
            let expectation = callbacks.expect {
                let isAnswer = page.accepts($0, redirectURI: redirectURI)
                if !isAnswer { diagnostics.refused($0, at: redirectURI) }
                return isAnswer
            }
            let outcome = await wait.run(
                callback: { await expectation.callback().map(Result.success) },
                open: { [opener] in
                    await opener.open(ListenerPage(url, onRemark: { diagnostics.remark($0) }))
                })
            return try answer(
                from: outcome, at: redirectURI, isBound: bindsAnswers,
                by: callbacks.callbackAdvice(to: redirectURI, since: handedOver), diagnostics.explanation)
        case .loopback(let path):
            guard let listener else { throw Self.withoutListener }
            let redirect = try LoopbackRedirect(
                for: page, path: path, at: listener.address, port: listener.port)
            try await page.prepare(redirectURI: redirect.uri)
            let outcome = await wait.run(
                callback: { await redirect.callback() },
                open: { [opener] in
                    let visit = await opener.open(redirect.start)
                    // A browser that has fetched the page did open.
                    return visit ?? (redirect.start.isFetched ? .unobservable : nil)
                })
            await redirect.close(afterAnswer: outcome.isTold)
            return try answer(
                from: outcome, at: redirect.uri, isBound: redirect.isPrivate || bindsAnswers,
                by: "If they agreed: check that the browser may open \(AuthError.scrubbed(redirect.uri)).",
                redirect.explanation)
        }
    }

    private func answer(
        from outcome: CallbackWait.Outcome, at redirectURI: URL, isBound: Bool,
        by callbackAdvice: String, _ diagnostics: String
    ) throws(AuthError) -> AuthorizationAnswer {
        let advice = [callbackAdvice, diagnostics].filter { !$0.isEmpty }.joined(separator: " ")
        guard let url = try outcome.answer(within: wait.timeLimit, by: advice) else {
            throw AuthError(
                .misconfigured,
                """
                No browser opened. Install one, or name one in the environment variable BROWSER where that is used. \
                \(diagnostics)
                """)
        }
        return AuthorizationAnswer(url: url, redirectURI: redirectURI, isBound: isBound)
    }

    private static var withoutListener: AuthError {
        AuthError(
            .misconfigured,
            """
            The page answers a listener on this device, which the system suspends while the browser is in front. Let it \
            answer by a URL of the app, such as Google's `.reversedClientID`.
            """)
    }

    private static func notAnApp(_ redirectURI: URL) -> AuthError {
        AuthError(
            .misconfigured,
            """
            The page answers at \(AuthError.scrubbed(redirectURI)), which opens no app, and where nothing listens. For an answer \
            to a listener use `.loopback(path:)`; a browser that was made with a `port` listens on that one.
            """)
    }

    private static func withoutRouter(_ redirectURI: URL) -> AuthError {
        AuthError(
            .misconfigured,
            """
            The page answers at \(AuthError.scrubbed(redirectURI)), a URL that opens an app, and this browser was made without \
            the router that the app hands such URLs to, as on the command line. There, use a provider whose page answers to a \
            listener. In an app, give the browser's initializer the service's `callbacks`.
            """)
    }
}

extension SystemBrowser {
    /// The address that the listener of a ``SystemBrowser`` listens on (RFC 8252 section 7.3).
    ///
    /// It is the host of the redirect URI, so the provider must allow it.
    public enum LoopbackAddress: Equatable, Sendable {
        /// 127.0.0.1. The redirect URI is `http://127.0.0.1:{port}/{path}`.
        case ipv4
        /// ::1. The redirect URI is `http://[::1]:{port}/{path}`. A machine without IPv6 does not have it.
        case ipv6
        /// The name `localhost`. The redirect URI is `http://localhost:{port}/{path}`.
        ///
        /// For a provider that allows no other host, such as Microsoft Entra's portal: the name may lead elsewhere on a machine
        /// that is set up wrongly (RFC 8252 section 8.3). The listener listens on 127.0.0.1 and on ::1, on the same port; on a
        /// machine without IPv6 on 127.0.0.1 alone. If the port is taken on one of the two, the attempt ends with
        /// `misconfigured`.
        case localhost

        /// The same addresses for the server, the first one decides about a free port.
        var ofServer: [LoopbackHTTP.LoopbackAddress] {
            switch self {
            case .ipv4: [.ipv4]
            case .ipv6: [.ipv6]
            case .localhost: [.ipv4, .ipv6]
            }
        }

        /// The address as the host of a URL.
        var host: String {
            switch self {
            case .ipv4: "127.0.0.1"
            case .ipv6: "[::1]"
            case .localhost: "localhost"
            }
        }
    }
}
