#if AUTH_UIKIT || AUTH_APPKIT
    import AuthStreams
    import Foundation

    #if AUTH_UIKIT
        import UIKit
        typealias Window = UIWindow
    #else
        import AppKit
        typealias Window = NSWindow
    #endif

    extension PresentationContext {
        /// Returns the window to present in.
        ///
        /// - Parameter bundle: The bundle of the running process.
        /// - Throws: `presentationUnavailable`; the explanation is that of a ``PresentationFailure``.
        @MainActor
        func resolved(in bundle: Bundle = .main) throws(AuthError) -> Window {
            switch self {
            case .automatic: return try Window.key(in: bundle)
            case .window(let reference):
                guard let object = reference.window else { throw PresentationFailure.windowIsGone.error }
                guard let window = object as? Window else { throw PresentationFailure.notAWindow.error }
                try window.requirePresentable()
                return window
            }
        }
    }
#endif
