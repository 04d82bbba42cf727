#if AUTH_AUTHENTICATION_SERVICES && (AUTH_UIKIT || AUTH_APPKIT) && !os(tvOS)
    import AuthenticationServices
    import Foundation

    #if AUTH_UIKIT
        import UIKit
    #else
        import AppKit
    #endif

    /// The window of a web authentication session, which refers to this object weakly.
    @MainActor
    final class WebAuthenticationAnchor: NSObject, ASWebAuthenticationPresentationContextProviding {
        let window: Window

        init(_ window: Window) {
            self.window = window
            super.init()
        }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }
#endif
