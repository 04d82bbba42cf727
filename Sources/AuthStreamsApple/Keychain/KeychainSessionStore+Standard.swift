#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    extension KeychainSessionStore {
        /// The store of the running app: its service is the app's bundle identifier, also in an extension of the app.
        ///
        /// In a program without a bundle identifier every call is `misconfigured`.
        ///
        /// - Parameters:
        ///   - accessGroup: The access group that the app shares with its extensions, with the prefix of the team; `nil` for an
        ///     app without extensions that need the session.
        ///   - appGroup: The App Group of the app and its extensions; `nil` for the app's own container.
        ///   - reinstallation: What becomes of a session that an earlier installation of the app left.
        public static func standard(
            accessGroup: String? = nil, appGroup: String? = nil,
            onReinstallation reinstallation: Reinstallation = .signOut
        ) -> KeychainSessionStore {
            KeychainSessionStore(
                service: Bundle.appIdentifier ?? "", accessGroup: accessGroup, appGroup: appGroup,
                onReinstallation: reinstallation)
        }
    }
#endif
