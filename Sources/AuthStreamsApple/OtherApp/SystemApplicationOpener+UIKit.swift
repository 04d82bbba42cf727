#if AUTH_UIKIT
    public import AuthStreams
    public import Foundation
    import UIKit

    extension SystemApplicationOpener {
        /// Returns whether an installed app opens the URL. Its scheme must be in `LSApplicationQueriesSchemes`.
        public func canOpen(_ url: URL) -> Bool { UIApplication.running(in: bundle)?.canOpenURL(url) ?? false }

        /// Checks the app's Info.plist.
        ///
        /// - Throws: `misconfigured`; the explanation names each missing entry.
        public func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {
            guard let application = UIApplication.running(in: bundle) else { throw Self.needsExtensionOpener }
            let hasScenes = information.hasSceneManifest || application.hasSceneDelegate
            let missing = [
                information.missingEntry(toReceive: callback), information.missingEntry(toQuery: url),
                hasScenes ? nil : .sceneManifest,
            ]
            if let error = AppEntry.error(missing: missing) { throw error }
        }

        /// Opens the URL from the frontmost scene.
        ///
        /// - Returns: The visit, or `nil` if nothing opened: no app has the link, or the app has no scene in the foreground.
        public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            guard let scene = UIApplication.running(in: bundle)?.scenesInForeground.first else { return nil }
            let options = UIScene.OpenExternalURLOptions()
            options.universalLinksOnly = universalLinksOnly
            // From before, because the scene may go to the background before the system reports that the URL opened.
            let visit = SceneVisit(leaving: scene)
            let hasOpened = Promise<Bool>()
            scene.open(url, options: options) { @Sendable in hasOpened.resolve($0) }
            guard await hasOpened.value() == true else { return nil }
            return ApplicationVisit { await visit.end() }
        }

        private static var needsExtensionOpener: AuthError {
            AuthError(
                .misconfigured,
                """
                An app extension cannot open other apps by the system. Give the provider an ExtensionApplicationOpener, with a \
                closure that opens URLs by the extension's own means.
                """)
        }
    }

    extension UIApplication {
        /// Whether a scene has a delegate, as in an app that adopts scenes in code.
        fileprivate var hasSceneDelegate: Bool { connectedScenes.contains { $0.delegate != nil } }
    }
#endif
