#if AUTH_APPKIT
    import AppKit
    public import AuthStreams
    public import Foundation

    extension SystemApplicationOpener {
        /// Returns whether an installed app opens the URL.
        public func canOpen(_ url: URL) -> Bool { NSWorkspace.shared.urlForApplication(toOpen: url) != nil }

        /// Checks the app's Info.plist.
        ///
        /// - Throws: `misconfigured`; the explanation names the missing entry.
        public func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {
            if let error = AppEntry.error(missing: [information.missingEntry(toReceive: callback)]) { throw error }
        }

        /// Opens the URL.
        ///
        /// - Returns: The visit, whose end cannot be observed, or `nil` if nothing opened.
        public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            let configuration = NSWorkspace.OpenConfiguration()
            configuration.requiresUniversalLinks = universalLinksOnly
            let hasOpened = Promise<Bool>()
            NSWorkspace.shared.open(url, configuration: configuration) { @Sendable application, _ in
                hasOpened.resolve(application != nil)
            }
            return await hasOpened.value() == true ? .unobservable : nil
        }
    }
#endif
