#if (AUTH_UIKIT && !os(tvOS)) || AUTH_APPKIT
    import AuthStreams
    import Foundation

    #if AUTH_UIKIT
        import UIKit
    #else
        import AppKit
    #endif

    enum Pasteboard {
        /// Copies a secret, for this device alone. On iOS it is removed two minutes later.
        @MainActor static func copy(_ secret: Secret) {
            #if AUTH_UIKIT
                UIPasteboard.general.setItems(
                    [["public.utf8-plain-text": secret.reveal()]],
                    options: [.localOnly: true, .expirationDate: Date(timeIntervalSinceNow: 120)])
            #else
                NSPasteboard.general.prepareForNewContents(with: .currentHostOnly)
                NSPasteboard.general.setString(secret.reveal(), forType: .string)
            #endif
        }
    }
#endif
