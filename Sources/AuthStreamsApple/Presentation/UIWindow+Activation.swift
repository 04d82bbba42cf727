#if AUTH_UIKIT
    import AuthStreams
    import UIKit

    extension UIWindow {
        /// Waits until the window's scene is active.
        ///
        /// Another app that opens this one delivers its URL before the scene is active, and the system shows no sheet until
        /// then.
        ///
        /// - Throws: `presentationUnavailable` if the scene is disconnected, or `cancelled`.
        func waitUntilActive() async throws(AuthError) {
            guard let scene = windowScene else { throw PresentationFailure.windowHasNoScene.error }
            guard scene.activationState != .foregroundActive else { return }
            let isActive = Promise<Bool>()
            let observers = [
                NotificationObserver(UIScene.didActivateNotification, of: scene) { isActive.resolve(true) },
                NotificationObserver(UIScene.didDisconnectNotification, of: scene) { isActive.resolve(false) },
            ]
            defer { withExtendedLifetime(observers) {} }
            guard let isActive = await isActive.value() else {
                throw AuthError(.cancelled, "The task was cancelled before the scene was active.")
            }
            guard isActive else { throw PresentationFailure.sceneDisconnected.error }
        }
    }
#endif
