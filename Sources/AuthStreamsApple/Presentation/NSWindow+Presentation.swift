#if AUTH_APPKIT
    import AppKit
    import AuthStreams
    import Foundation

    extension NSWindow {
        /// The app's key window, or its main window if none is key.
        static func key(in bundle: Bundle) throws(PresentationFailure) -> NSWindow {
            guard let window = NSApplication.shared.keyWindow ?? NSApplication.shared.mainWindow else {
                throw .noKeyWindow
            }
            return window
        }

        /// Checks that a page can appear over the window.
        func requirePresentable() throws(PresentationFailure) {
            guard isVisible else { throw .windowIsNotVisible }
        }
    }

    extension NSWindow {
        /// Returns at once: a window of a Mac has no scene.
        func waitUntilActive() async throws(AuthError) {}

        /// Observes nothing: a window of a Mac has no scene.
        func observeDisconnection(_ action: @escaping @MainActor @Sendable () -> Void) -> NotificationObserver? { nil }
    }
#endif
