#if AUTH_SECURITY
    import Foundation

    #if AUTH_UIKIT
        import UIKit
    #elseif AUTH_APPKIT
        import AppKit
    #endif

    /// Notifications of the system to this process.
    enum SystemNotification {
        /// The app comes to the foreground. Not posted to extensions.
        static func observeForeground(_ action: @escaping @Sendable () -> Void) -> NotificationObservation? {
            #if AUTH_UIKIT
                observe(UIApplication.willEnterForegroundNotification, action)
            #elseif AUTH_APPKIT
                observe(NSApplication.didBecomeActiveNotification, action)
            #else
                nil
            #endif
        }

        /// The device was unlocked. Not posted to extensions, nor on macOS and watchOS.
        static func observeUnlock(_ action: @escaping @Sendable () -> Void) -> NotificationObservation? {
            #if AUTH_UIKIT
                observe(UIApplication.protectedDataDidBecomeAvailableNotification, action)
            #else
                nil
            #endif
        }

        private static func observe(_ name: Notification.Name, _ action: @escaping @Sendable () -> Void)
            -> NotificationObservation
        {
            // Unchecked: it is only handed back, which any thread may do.
            nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
                forName: name, object: nil, queue: nil
            ) { _ in action() }
            return NotificationObservation { NotificationCenter.default.removeObserver(observer) }
        }
    }
#endif
