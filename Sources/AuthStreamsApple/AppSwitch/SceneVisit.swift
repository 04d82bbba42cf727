#if AUTH_UIKIT
    import AuthStreams
    import UIKit

    /// The time from a scene's way to the background until the app is in front again.
    ///
    /// An inactive scene has not left: the system asks the person before it opens another app, and the scene is active again
    /// as soon as they have answered.
    @MainActor
    final class SceneVisit {
        private let hasEnded = Promise<Void>()
        private var hasLeft = false
        private var isReturning = false
        private var observers: [NotificationObserver] = []

        init(leaving scene: UIScene) {
            observers = [
                NotificationObserver(UIScene.didEnterBackgroundNotification, of: scene) { [weak self] in
                    self?.hasLeft = true
                },
                // Any scene: the system chooses the one that it brings to the front, and may have disconnected the first. One that
                // stayed in the foreground beside the other app becomes active without the app coming back.
                NotificationObserver(UIScene.willEnterForegroundNotification) { [weak self] in
                    if self?.hasLeft == true { self?.isReturning = true }
                },
                NotificationObserver(UIScene.didActivateNotification) { [weak self] in
                    if self?.isReturning == true { self?.hasEnded.resolve(()) }
                },
            ]
        }

        /// Returns once the app is in front again, or when the task is cancelled.
        nonisolated func end() async { _ = await hasEnded.value() }
    }
#endif
