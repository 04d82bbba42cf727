#if (AUTH_UIKIT && !os(tvOS)) || AUTH_APPKIT
    import AuthStreams
    import Foundation

    #if AUTH_UIKIT
        import UIKit
    #else
        import AppKit
    #endif

    enum Pasteboard {
        /// Copies a secret. On iOS it is removed two minutes later.
        ///
        /// - Parameter isLocal: Whether it is for this device alone, and not for the person's others nearby.
        @MainActor static func copy(_ secret: Secret, isLocal: Bool) {
            #if AUTH_UIKIT
                UIPasteboard.general.setItems(
                    [["public.utf8-plain-text": secret.reveal()]],
                    options: [.localOnly: isLocal, .expirationDate: Date(timeIntervalSinceNow: 120)])
            #else
                NSPasteboard.general.prepareForNewContents(with: isLocal ? .currentHostOnly : [])
                NSPasteboard.general.setString(secret.reveal(), forType: .string)
            #endif
        }
    }
#endif
