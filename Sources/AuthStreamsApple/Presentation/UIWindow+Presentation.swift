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
        ///
        /// - Throws: `presentationUnavailable`.
        static func key(in bundle: Bundle) throws(AuthError) -> UIWindow {
            guard let application = UIApplication.running(in: bundle) else {
                throw PresentationFailure.appExtension.error
            }
            let scenes = application.scenesInForeground
            guard !scenes.isEmpty else { throw PresentationFailure.noSceneInForeground.error }
            guard let window = scenes.lazy.compactMap(\.keyWindow).first else {
                throw PresentationFailure.noKeyWindow.error
            }
            return window
        }

        /// Checks that a page can appear in the window: its scene is connected and in the foreground.
        ///
        /// - Throws: `presentationUnavailable`.
        func requirePresentable() throws(AuthError) {
            switch windowScene?.activationState {
            case .foregroundActive, .foregroundInactive: return
            case .background: throw PresentationFailure.sceneInBackground.error
            default: throw PresentationFailure.windowHasNoScene.error
            }
        }
    }
#endif
