#if AUTH_UIKIT
    import Foundation
    import UIKit

    extension UIApplication {
        /// The application, or `nil` in an app extension.
        ///
        /// `shared` does not compile where extensions may use the code, though an app uses the same code. So it is reached by
        /// its Objective-C name. An extension is recognized by its bundle, because some extensions have an application
        /// object that shows nothing.
        static func running(in bundle: Bundle = .main) -> UIApplication? {
            let shared = NSSelectorFromString("sharedApplication")
            guard bundle.bundleURL.pathExtension != "appex", responds(to: shared) else { return nil }
            return perform(shared)?.takeUnretainedValue() as? UIApplication
        }

        /// The scenes with windows of the app that are in the foreground: active ones before others, and of these the frontmost
        /// before others. Scenes of external displays are left out.
        var scenesInForeground: [UIWindowScene] {
            let scenes = connectedScenes.compactMap { $0 as? UIWindowScene }
                .filter { $0.session.role == .windowApplication && $0.isInForeground }
            return scenes.sorted { $0.rank < $1.rank }
        }
    }

    extension UIWindowScene {
        fileprivate var isInForeground: Bool {
            activationState == .foregroundActive || activationState == .foregroundInactive
        }

        /// The identifier makes the order the same each time.
        fileprivate var rank: (Int, Int, String) {
            (
                activationState == .foregroundActive ? 0 : 1, traitCollection.activeAppearance == .active ? 0 : 1,
                session.persistentIdentifier
            )
        }
    }
#endif
