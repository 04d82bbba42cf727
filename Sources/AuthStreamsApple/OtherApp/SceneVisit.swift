#if AUTH_UIKIT
    import AuthStreams
    import UIKit

    /// The time from a scene's way to the background until a scene of the app returns from there.
    ///
    /// An inactive scene has not left: the system asks the person before it opens another app, and the scene is active again
    /// as soon as they have answered. A scene that stayed in the foreground, beside the other app, does not return when it
    /// becomes active.
    @MainActor
    final class SceneVisit {
        private let hasEnded = Promise<Void>()
        /// The scenes that came to the foreground since the first one left; `nil` before that.
        private var returning: Set<ObjectIdentifier>?
        private var observers: [NotificationObserver] = []

        init(leaving scene: UIScene) {
            observers = [
                NotificationObserver(UIScene.didEnterBackgroundNotification, of: scene) { [weak self] in
                    self?.leave()
                },
                // Of any scene: the system chooses the one that it brings to the front, and may have disconnected the first.
                NotificationObserver(UIScene.willEnterForegroundNotification) { [weak self] scene in
                    if let scene { self?.returning?.insert(scene) }
                },
                NotificationObserver(UIScene.didActivateNotification) { [weak self] scene in
                    if let scene { self?.activate(scene) }
                },
            ]
        }

        /// Returns once the app is in front again, or when the task is cancelled.
        nonisolated func end() async { _ = await hasEnded.value() }

        private func leave() { returning = returning ?? [] }

        private func activate(_ scene: ObjectIdentifier) {
            if returning?.contains(scene) == true { hasEnded.resolve(()) }
        }
    }
#endif
