#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    public import AuthStreams
    import Foundation

    /// Shows a provider's page in a web authentication session: a sheet of Safari on iPhone and iPad, the person's browser on
    /// a Mac.
    ///
    /// ```swift
    /// let browser = WebAuthenticationAgent()
    /// let google = GoogleProvider(
    ///     clientID: "1234-abc.apps.googleusercontent.com", redirect: .reversedClientID, userAgent: browser,
    ///     transport: transport)
    /// ```
    ///
    /// The page answers at a URL of the app: of its own scheme, which Info.plist need not list for this, or from iOS 17.4 of an
    /// https host that the app is associated with by `webcredentials`. The system hands the URL to the session alone, so no
    /// router is needed.
    ///
    /// | event | consequence |
    /// | --- | --- |
    /// | the page answers | the answer; the sheet closes. A later call of the system is ignored |
    /// | the person closes the sheet | `cancelled` |
    /// | the task is cancelled | the sheet closes; `cancelled` |
    /// | the app goes to the background, the device locks | nothing: people fetch one-time codes. The attempt waits |
    /// | the scene is disconnected | the sheet closes; `presentationUnavailable` |
    /// | the time limit passes | the sheet closes; `timedOut` |
    /// | no window, Guided Access, a managed device | `presentationUnavailable` |
    /// | an https redirect without association or before iOS 17.4, or a listener on this machine | `misconfigured` |
    ///
    /// The sheet closes with the first URL of the callback's scheme, or of its host and path. So a URL that does not answer the
    /// page ends the attempt too, with the error of its check.
    ///
    /// tvOS offers no way to close a session: there the page stays when the task is cancelled.
    @MainActor
    public struct WebAuthenticationAgent: UserAgent {
        private let browserSession: BrowserSession
        private let timeLimit: Duration
        private let clock: AuthClock
        /// Whether the system has `ASWebAuthenticationSession.Callback`. Tests set it.
        nonisolated let hasCallbacks: Bool

        /// Makes a user agent. One serves any number of providers and attempts.
        ///
        /// - Parameters:
        ///   - browserSession: Which cookies the page has; those of the person's browser unless given.
        ///   - timeLimit: How long the page may take; ten minutes unless given.
        ///   - clock: Measures it.
        public nonisolated init(
            browserSession: BrowserSession = .shared, timeLimit: Duration = .seconds(600), clock: AuthClock = .system
        ) {
            self.init(browserSession, timeLimit, clock, hasCallbacks: WebCallback.isHTTPSSupported)
        }

        nonisolated init(
            _ browserSession: BrowserSession = .shared, _ timeLimit: Duration = .seconds(600),
            _ clock: AuthClock = .system, hasCallbacks: Bool
        ) {
            self.browserSession = browserSession
            self.timeLimit = timeLimit
            self.clock = clock
            self.hasCallbacks = hasCallbacks
        }

        /// `false`: the sheet and its answer end with the process.
        public var opensAppWithAnswer: Bool { false }

        /// Shows the page and waits for its answer.
        ///
        /// - Throws: `AuthError` with code `cancelled`, `timedOut`, `presentationUnavailable` or `misconfigured`; see the table
        ///   above.
        public func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
            let target = try WebTarget(page, hasCallbacks: hasCallbacks)
            let sheet = WebAuthenticationSheet(target, browserSession, hasCallbacks: hasCallbacks)
            // Also when the attempt ended otherwise than by the session: nothing of it stays on the screen.
            defer { sheet.close() }
            let presentation = page.presentation
            let url = try await target.answer(within: timeLimit, clock) { try await sheet.answer(in: presentation) }
            return AuthorizationAnswer(url: url, redirectURI: target.redirectURI, isBound: true)
        }
    }

    extension WebAuthenticationAgent {
        /// Which cookies the page has.
        public enum BrowserSession: Equatable, Sendable {
            /// Those of the person's browser, where they may be signed in to the provider already. The system asks them first
            /// whether the app may use the website.
            case shared
            /// None, and none are kept: the person logs in each time.
            case ephemeral
        }
    }
#endif
