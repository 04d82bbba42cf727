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
        ///   - formerAccessGroup: The access group of an earlier version of the app, whose records are moved to `accessGroup` before the
        ///     first access; `nil` if it had the same. Without one, an earlier version had the app's first group, usually that of its
        ///     own identifier: `TEAMID.com.example.app`. Only the app moves records, an extension does not.
        ///   - reinstallation: What becomes of a session that an earlier installation of the app left.
        public static func standard(
            accessGroup: String? = nil, appGroup: String? = nil, formerAccessGroup: String? = nil,
            onReinstallation reinstallation: Reinstallation = .signOut
        ) -> KeychainSessionStore {
            KeychainSessionStore(
                service: Bundle.appIdentifier ?? "", accessGroup: accessGroup, appGroup: appGroup,
                formerAccessGroup: formerAccessGroup, onReinstallation: reinstallation)
        }
    }
#endif
