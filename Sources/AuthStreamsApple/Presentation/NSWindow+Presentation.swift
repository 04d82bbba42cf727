#if AUTH_APPKIT
    import AppKit
    import AuthStreams
    import Foundation

    extension NSWindow {
        /// The app's key window, or its main window if none is key.
        ///
        /// - Throws: `presentationUnavailable`.
        static func key(in bundle: Bundle) throws(AuthError) -> NSWindow {
            guard let window = NSApplication.shared.keyWindow ?? NSApplication.shared.mainWindow else {
                throw PresentationFailure.noKeyWindow.error
            }
            return window
        }

        /// Checks that a page can appear over the window.
        ///
        /// - Throws: `presentationUnavailable`.
        func requirePresentable() throws(AuthError) {
            guard isVisible else { throw PresentationFailure.windowIsNotVisible.error }
        }
    }
#endif
