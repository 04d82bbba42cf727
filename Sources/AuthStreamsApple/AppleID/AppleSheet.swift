#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    #if AUTH_UIKIT
        import UIKit
    #endif

    /// The system's sheet of one attempt.
    ///
    /// The system may call the delegate never, repeatedly or late, and on any thread; each call is reported. The sheet lives
    /// until the first one, also when its attempt is over, because the person may agree after that, and Apple sends the
    /// profile only once.
    @MainActor
    final class AppleSheet: NSObject {
        typealias Finish = @Sendable (Result<AppleAuthorization, AuthError>) -> Void

        private let controller: ASAuthorizationController
        nonisolated private let finish: Finish
        /// The sheet itself, from its presentation to the delegate's first call. The controller refers to it weakly.
        nonisolated private let presented = Lock<AppleSheet?>(nil)

        #if AUTH_UIKIT || AUTH_APPKIT
            private let window: Window
        #endif
        private var disconnection: NotificationObserver?

        /// Makes a sheet, without presenting it.
        ///
        /// - Parameter finish: Receives each answer, on any thread.
        /// - Throws: `presentationUnavailable` if there is no window.
        init(
            for scopes: Set<AppleProvider.Scope>, _ secrets: AuthorizationSecrets, in context: PresentationContext,
            finish: @escaping Finish
        ) throws(AuthError) {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = scopes.map(\.system)
            request.state = secrets.state.reveal()
            request.nonce = AppleNonce.hashed(secrets.nonce)
            controller = ASAuthorizationController(authorizationRequests: [request])
            self.finish = finish
            #if AUTH_UIKIT || AUTH_APPKIT
                window = try context.resolved()
            #endif
            super.init()
            controller.delegate = self
            #if AUTH_UIKIT || AUTH_APPKIT
                controller.presentationContextProvider = self
            #endif
        }

        func present() {
            presented.withLock { $0 = self }
            #if AUTH_UIKIT
                disconnection = window.windowScene.map { scene in
                    NotificationObserver(UIScene.didDisconnectNotification, of: scene) { [weak self] in
                        self?.sceneDisconnected()
                    }
                }
            #endif
            controller.performRequests()
        }

        /// Closes the sheet. On systems that cannot, such as watchOS, it stays until the person closes it.
        func cancel() {
            #if AUTH_UIKIT || AUTH_APPKIT
                if #available(tvOS 18, *) { controller.cancel() }
            #endif
        }

        private func sceneDisconnected() {
            finish(.failure(PresentationFailure.sceneDisconnected.error))
            cancel()
        }

        nonisolated private func report(_ answer: Result<AppleAuthorization, AuthError>) {
            finish(answer)
            presented.withLock { $0 = nil }
        }
    }

    // Not isolated: a method of the main actor traps when it is called on another thread.
    extension AppleSheet: ASAuthorizationControllerDelegate {
        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            report(AppleAuthorization.read(authorization))
        }

        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            report(.failure(AppleAuthorizationErrors.error(for: error)))
        }
    }

    #if AUTH_UIKIT || AUTH_APPKIT
        extension AppleSheet: ASAuthorizationControllerPresentationContextProviding {
            func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
        }
    #endif

    extension AppleProvider.Scope {
        fileprivate var system: ASAuthorization.Scope {
            switch self {
            case .name: .fullName
            case .email: .email
            }
        }
    }
#endif
