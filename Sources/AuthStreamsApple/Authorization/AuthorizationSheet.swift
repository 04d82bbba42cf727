#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import AuthStreams
    import Foundation

    /// The system's sheet of one attempt, or its suggestions of AutoFill.
    ///
    /// The system may call the delegate never, repeatedly or late, and on any thread; each call is reported. The sheet lives
    /// until the first one, also when its attempt is over, because the person may agree after that, and Apple sends the
    /// profile only once.
    @MainActor
    final class AuthorizationSheet: NSObject {
        /// Receives what the delegate received, or an ``AuthError`` if the scene of the sheet is gone.
        typealias Finish = @Sendable (Result<ASAuthorization, any Error>) -> Void

        private let controller: ASAuthorizationController
        nonisolated private let finish: Finish
        /// The sheet itself, from its presentation to the delegate's first call. The controller refers to it weakly.
        nonisolated private let presented = Lock<AuthorizationSheet?>(nil)
        /// Whether the system has answered, or does not answer to a cancel.
        nonisolated let hasEnded = Promise<Void>()

        private let place: AuthorizationPlace
        private var disconnection: NotificationObserver?

        /// Makes a sheet, without presenting it.
        ///
        /// - Parameter finish: Receives each answer, on any thread.
        /// - Throws: `presentationUnavailable` if there is no window.
        init(
            for requests: [ASAuthorizationRequest], in context: PresentationContext, finish: @escaping Finish
        ) throws(AuthError) {
            controller = ASAuthorizationController(authorizationRequests: requests)
            self.finish = finish
            place = try AuthorizationPlace(in: context)
            super.init()
            controller.delegate = self
            place.anchor(controller)
        }

        /// Begins the requests.
        ///
        /// - Parameter perform: Calls the controller's function; `performRequests()` unless given.
        func present(_ perform: (ASAuthorizationController) -> Void = { $0.performRequests() }) {
            presented.withLock { $0 = self }
            disconnection = place.observeDisconnection { [weak self] in self?.sceneDisconnected() }
            perform(controller)
        }

        /// Closes the sheet, or ends the suggestions. On systems that cannot, such as watchOS, it stays until the person closes it.
        func cancel() {
            #if AUTH_UIKIT || AUTH_APPKIT
                if #available(tvOS 18, *) { controller.cancel() }
            #endif
        }

        private func sceneDisconnected() {
            finish(.failure(PresentationFailure.sceneDisconnected.error))
            cancel()
        }

        nonisolated private func report(_ answer: Result<ASAuthorization, any Error>) {
            finish(answer)
            hasEnded.resolve(())
            presented.withLock { $0 = nil }
        }
    }

    // Not isolated: a method of the main actor traps when it is called on another thread.
    extension AuthorizationSheet: ASAuthorizationControllerDelegate {
        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            report(.success(authorization))
        }

        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            report(.failure(error))
        }
    }
#endif
