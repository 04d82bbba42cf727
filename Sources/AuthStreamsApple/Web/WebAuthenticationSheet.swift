#if AUTH_AUTHENTICATION_SERVICES
    import AuthStreams
    import AuthenticationServices
    import Foundation

    /// One web authentication session, from its start to its end.
    @MainActor
    final class WebAuthenticationSheet {
        private let target: WebTarget
        private let browserSession: WebAuthenticationAgent.BrowserSession
        private let hasCallbacks: Bool
        private var session: ASWebAuthenticationSession?
        /// Whether the system has ended the session.
        private let hasEnded = Promise<Void>()
        /// Where the page is shown. The session refers to it weakly.
        private var place: WebAuthenticationPlace?
        private var disconnection: NotificationObserver?

        init(_ target: WebTarget, _ browserSession: WebAuthenticationAgent.BrowserSession, hasCallbacks: Bool) {
            self.target = target
            self.browserSession = browserSession
            self.hasCallbacks = hasCallbacks
        }

        /// Shows the page and returns the URL that ends the session.
        ///
        /// - Throws: `presentationUnavailable`, `cancelled`, `misconfigured`, or the system's error as `unexpected`.
        func answer(in presentation: PresentationContext) async throws(AuthError) -> URL {
            let place = try WebAuthenticationPlace(in: presentation)
            try await place.waitUntilActive()
            return try await AuthStream<URL>.mainActorCallback(timeLimit: nil) { try self.start($0, in: place) }.value
        }

        /// Closes the page if it is still shown.
        func close() {
            disconnection = nil
            guard let session, hasEnded.current == nil else { return }
            self.session = nil
            #if !os(tvOS)
                session.cancel()
            #endif
        }

        private func start(_ callback: AuthCallback<URL>, in place: WebAuthenticationPlace) throws(AuthError) {
            let failure = WebAuthenticationFailure(callback: target.callback, isInGuidedAccess: GuidedAccess.isOn)
            let session = makeSession(Self.handler(callback, failure, hasEnded))
            session.prefersEphemeralWebBrowserSession = browserSession == .ephemeral
            place.anchor(session)
            disconnection = place.observeDisconnection { callback.fail(PresentationFailure.sceneDisconnected.error) }
            (self.session, self.place) = (session, place)
            guard session.start() else {
                self.session = nil
                throw WebAuthenticationFailure.cannotStart
            }
        }

        private func makeSession(
            _ handler: @escaping ASWebAuthenticationSession.CompletionHandler
        ) -> ASWebAuthenticationSession {
            if hasCallbacks, #available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *) {
                return ASWebAuthenticationSession(
                    url: target.url, callback: target.callback.ofSystem, completionHandler: handler)
            }
            return ASWebAuthenticationSession(
                url: target.url, callbackURLScheme: target.callback.scheme, completionHandler: handler)
        }

        /// The system may call the handler on any queue, so it is made outside the main actor.
        private nonisolated static func handler(
            _ callback: AuthCallback<URL>, _ failure: WebAuthenticationFailure, _ hasEnded: Promise<Void>
        ) -> ASWebAuthenticationSession.CompletionHandler {
            { url, error in
                hasEnded.resolve(())
                if let url { callback.succeed(url) } else { callback.fail(failure.error(for: error)) }
            }
        }
    }

    extension WebCallback {
        @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
        var ofSystem: ASWebAuthenticationSession.Callback {
            switch self {
            case .customScheme(let scheme): .customScheme(scheme)
            case .https(let host, let path): .https(host: host, path: path)
            }
        }
    }
#endif
