#if AUTH_AUTHENTICATION_SERVICES && (AUTH_UIKIT || AUTH_APPKIT)
    import AuthStreams
    import AuthenticationServices
    import Foundation

    /// A window of the app, and its scene, in which the system shows a sheet. The sheet keeps the place, to which the system's
    /// objects refer weakly.
    @MainActor
    final class WindowPlace: NSObject {
        private let window: Window

        /// Finds the window.
        ///
        /// - Throws: `presentationUnavailable` if there is none.
        init(in context: PresentationContext) throws(AuthError) {
            window = try context.resolved()
            super.init()
        }

        /// Waits until the system shows sheets in the window.
        ///
        /// - Throws: `presentationUnavailable` if its scene is disconnected, or `cancelled`.
        func waitUntilActive() async throws(AuthError) { try await window.waitUntilActive() }

        /// Observes the disconnection of the window's scene; `nil` if it has none.
        func observeDisconnection(_ action: @escaping @MainActor @Sendable () -> Void) -> NotificationObserver? {
            window.observeDisconnection(action)
        }
    }

    extension WindowPlace: ASAuthorizationControllerPresentationContextProviding {
        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }

        /// Makes the controller show its sheet in the window.
        func anchor(_ controller: ASAuthorizationController) { controller.presentationContextProvider = self }
    }

    #if !os(tvOS)
        extension WindowPlace: ASWebAuthenticationPresentationContextProviding {
            func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }

            /// Makes the session show its page in the window.
            func anchor(_ session: ASWebAuthenticationSession) { session.presentationContextProvider = self }
        }
    #endif
#endif
