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
            do { return try found(in: bundle) } catch { throw error.error }
        }

        /// Returns the window to present in, or throws why there is none.
        @MainActor
        func found(in bundle: Bundle = .main) throws(PresentationFailure) -> Window {
            switch self {
            case .automatic: return try Window.key(in: bundle)
            case .window(let reference):
                guard let object = reference.window else { throw .windowIsGone }
                guard let window = object as? Window else { throw .notAWindow }
                try window.requirePresentable()
                return window
            }
        }
    }
#endif
