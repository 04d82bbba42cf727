public import AuthStreams

#if AUTH_UIKIT
    import Foundation
    import UIKit
#elseif AUTH_APPKIT
    import AppKit
    import Foundation
#endif

extension AppActivity {
    /// What the system says about this app. `AuthPlatform.app` has it.
    ///
    /// | system | background | active |
    /// | --- | --- | --- |
    /// | iOS, Catalyst, tvOS, visionOS | no scene is in the foreground | a scene is active |
    /// | macOS | no window can be seen: hidden, covered, minimized, or the screen is locked | the app is in front |
    /// | macOS, a menu-bar app whose popover does not activate the app | no window can be seen | never, so that the person is not asked: activate the app with its popover, or give an activity of its own |
    /// | watchOS, and extensions | never | always: an extension runs when the person opens it, and knows no more |
    ///
    /// On watchOS an app moves one of its own by `ScenePhase`.
    public static let system: AppActivity = {
        #if AUTH_UIKIT
            let activity = AppActivity()
            activity.follow([
                UIApplication.willEnterForegroundNotification: .inactive,
                UIApplication.didBecomeActiveNotification: .active,
                UIApplication.willResignActiveNotification: .inactive,
                UIApplication.didEnterBackgroundNotification: .background,
            ])
            // Notifications that were posted before tell nothing.
            Task { @MainActor in
                switch UIApplication.running()?.applicationState {
                case .active, nil: activity.move(to: .active)
                case .inactive where activity.phase == .background: activity.move(to: .inactive)
                default: break
                }
            }
            return activity
        #elseif AUTH_APPKIT
            if Bundle.main.bundleURL.pathExtension == "appex" { return .always }
            let activity = AppActivity()
            activity.followApplication()
            return activity
        #else
            return .always
        #endif
    }()

    #if AUTH_UIKIT
        /// Moves with each notification, within it: the process may be suspended right afterwards.
        private func follow(_ phases: [Notification.Name: Phase]) {
            for (name, phase) in phases {
                // Observed for as long as the app runs.
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                    self?.move(to: phase)
                }
            }
        }
    #elseif AUTH_APPKIT
        /// Moves with each notification, within it. A notification tells only one of visibility and activity, so both are read.
        private func followApplication() {
            let note: @MainActor @Sendable () -> Void = { [weak self] in
                let app = NSApplication.shared
                guard app.occlusionState.contains(.visible) else { return self?.move(to: .background) ?? () }
                self?.move(to: app.isActive ? .active : .inactive)
            }
            let names = [
                NSApplication.didBecomeActiveNotification, NSApplication.didResignActiveNotification,
                NSApplication.didChangeOcclusionStateNotification,
            ]
            for name in names {
                // Observed for as long as the app runs.
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    MainActor.assumeIsolated(note)
                }
            }
            Task { @MainActor in note() }
        }
    #endif
}
