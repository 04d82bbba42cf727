#if AUTH_AUTHENTICATION_SERVICES && AUTH_SWIFTUI
    public import AuthStreams
    import AuthenticationServices
    import Foundation
    import SwiftUI

    /// Shows a provider's page by SwiftUI's web authentication session, which presents in the view that it was read in.
    ///
    /// Use it where an app has no window to name; otherwise ``WebAuthenticationAgent`` finds the window itself. A view of the
    /// app lends its session:
    ///
    /// ```swift
    /// let browser = SwiftUIWebAuthenticationAgent()    // for the providers
    /// …
    /// ContentView().presentsWebAuthentication(of: browser)
    /// ```
    ///
    /// It has the promises of ``WebAuthenticationAgent``, with these differences: the request's window is not used, and SwiftUI
    /// says neither whether Guided Access forbids the sheet nor whether the sheet closes when the task is cancelled. The
    /// attempt ends at once all the same.
    @MainActor
    public struct SwiftUIWebAuthenticationAgent: UserAgent {
        /// Which cookies the page has.
        public typealias BrowserSession = WebAuthenticationAgent.BrowserSession

        /// Shows a page, and returns the URL that ended it.
        typealias Authenticate = @MainActor @Sendable (WebTarget, BrowserSession) async throws -> URL

        private let browserSession: BrowserSession
        private let timeLimit: Duration
        private let clock: AuthClock
        private let hasCallbacks: Bool
        private let authenticate: Authenticate
        let views: WebAuthenticationViews

        /// Makes a user agent.
        ///
        /// - Parameters:
        ///   - browserSession: Which cookies the page has; those of the person's browser unless given.
        ///   - timeLimit: How long the page may take; ten minutes unless given.
        ///   - clock: Measures it.
        public nonisolated init(
            browserSession: BrowserSession = .shared, timeLimit: Duration = .seconds(600), clock: AuthClock = .system
        ) {
            let views = WebAuthenticationViews()
            self.init(browserSession, timeLimit, clock, views: views) { target, browserSession in
                guard let session = views.current else { throw Self.withoutView }
                return try await session.show(target, browserSession)
            }
        }

        nonisolated init(
            _ browserSession: BrowserSession = .shared, _ timeLimit: Duration = .seconds(600),
            _ clock: AuthClock = .system, hasCallbacks: Bool = WebCallback.isHTTPSSupported,
            views: WebAuthenticationViews = WebAuthenticationViews(), authenticate: @escaping Authenticate
        ) {
            self.browserSession = browserSession
            self.timeLimit = timeLimit
            self.clock = clock
            self.hasCallbacks = hasCallbacks
            self.authenticate = authenticate
            self.views = views
        }

        /// `false`: the sheet and its answer end with the process.
        public var opensAppWithAnswer: Bool { false }

        /// Shows the page and waits for its answer.
        ///
        /// - Throws: `AuthError` with code `cancelled`, `timedOut`, `presentationUnavailable` if no view lends its session, or
        ///   `misconfigured`; see ``WebAuthenticationAgent``.
        public func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
            let target = try WebTarget(page, hasCallbacks: hasCallbacks)
            let url = try await target.answer(within: timeLimit, clock) { try await answer(of: target) }
            return AuthorizationAnswer(url: url, redirectURI: target.redirectURI, isBound: true)
        }

        /// The end of SwiftUI's session, or of the task: SwiftUI does not say that it heeds a cancellation.
        private func answer(of target: WebTarget) async throws(AuthError) -> URL {
            let (authenticate, browserSession) = (authenticate, browserSession)
            let failure = WebAuthenticationFailure(callback: target.callback, isInGuidedAccess: false)
            return try await AuthStream<URL>.mainActorCallback(timeLimit: nil) { callback in
                // Cancelled with the attempt.
                let showing = Task {
                    do { callback.succeed(try await authenticate(target, browserSession)) } catch {
                        callback.fail(failure.error(for: error))
                    }
                }
                callback.onCancel { showing.cancel() }
            }.value
        }

        private nonisolated static var withoutView: AuthError {
            AuthError(
                .presentationUnavailable,
                """
                No view lends its web authentication session. Apply `presentsWebAuthentication(of:)` to a view that is shown \
                before the attempt.
                """)
        }
    }

    extension WebAuthenticationSession {
        fileprivate func show(
            _ target: WebTarget, _ browserSession: WebAuthenticationAgent.BrowserSession
        ) async throws -> URL {
            let preferred: WebAuthenticationSession.BrowserSession = browserSession == .ephemeral ? .ephemeral : .shared
            if #available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *) {
                return try await authenticate(
                    using: target.url, callback: target.callback.ofSystem, preferredBrowserSession: preferred,
                    additionalHeaderFields: [:])
            }
            return try await authenticate(
                using: target.url, callbackURLScheme: target.callback.scheme, preferredBrowserSession: preferred)
        }
    }
#endif
