#if AUTH_UIKIT || AUTH_APPKIT
    import AuthStreams

    #if AUTH_UIKIT
        import UIKit
        typealias Window = UIWindow
    #else
        import AppKit
        typealias Window = NSWindow
    #endif

    extension PresentationContext {
        /// The window to present in.
        ///
        /// - Throws: `presentationUnavailable` if there is none.
        @MainActor
        func resolved() throws(AuthError) -> Window {
            switch self {
            case .automatic:
                guard let window = Self.keyWindow else {
                    throw AuthError(
                        .presentationUnavailable,
                        """
                        The app has no scene that is active in the foreground. Begin the attempt when the person taps, or \
                        give the request a window: `.in(window)`.
                        """)
                }
                return window
            case .window(let reference):
                guard let window = reference.window as? Window else {
                    throw AuthError(.presentationUnavailable, "The window that the request named is gone.")
                }
                return window
            }
        }

        @MainActor
        private static var keyWindow: Window? {
            #if AUTH_UIKIT
                nil
            #else
                NSApplication.shared.keyWindow
            #endif
        }
    }
#endif
