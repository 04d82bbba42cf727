#if AUTH_UIKIT
    import AuthStreams
    import Foundation
    import UIKit

    extension UIWindow {
        /// The key window of the app's frontmost scene.
        ///
        /// On iPad, Mac Catalyst and visionOS, several scenes are in the foreground at once; the one that is frontmost has an
        /// active appearance (developer.apple.com/documentation/uikit/uitraitcollection/activeappearance). A scene that is
        /// about to become active, such as when another app has just opened this one, is inactive at first.
        static func key(in bundle: Bundle) throws(PresentationFailure) -> UIWindow {
            guard let application = UIApplication.running(in: bundle) else { throw .appExtension }
            let scenes = application.scenesInForeground
            guard !scenes.isEmpty else { throw .noSceneInForeground }
            guard let window = scenes.lazy.compactMap(\.keyWindow).first else { throw .noKeyWindow }
            return window
        }

        /// Checks that a page can appear in the window: its scene is connected and in the foreground.
        func requirePresentable() throws(PresentationFailure) {
            switch windowScene?.activationState {
            case .foregroundActive, .foregroundInactive: return
            case .background: throw .sceneInBackground
            default: throw .windowHasNoScene
            }
        }
    }

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

        /// Observes the disconnection of the window's scene; `nil` if the window has none.
        func observeDisconnection(_ action: @escaping @MainActor @Sendable () -> Void) -> NotificationObserver? {
            windowScene.map { NotificationObserver(UIScene.didDisconnectNotification, of: $0, handler: action) }
        }
    }
#endif
