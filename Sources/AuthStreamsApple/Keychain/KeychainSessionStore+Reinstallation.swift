#if AUTH_SECURITY
    extension KeychainSessionStore {
        /// What becomes of a session that an earlier installation of the app left in the keychain.
        ///
        /// Items of the keychain outlive the app: they are there again when the person installs it anew. Apple does not
        /// document either behaviour.
        public enum Reinstallation: Sendable, Equatable {
            /// The records are removed, and the person signs in again.
            ///
            /// Only the app removes them, never an extension. They stay on tvOS, where an app has no place of its own that
            /// the system does not empty.
            case signOut
            /// The person is still signed in.
            case keepSession
        }
    }
#endif
