#if AUTH_UIKIT
    public import UIKit

    /// What a scene was connected with that is the app's own to handle, and no answer to a sign-in.
    @MainActor
    public struct AppConnectionOptions {
        /// The contexts of the app's own URLs.
        public let urlContexts: Set<UIOpenURLContext>
        /// The app's own user activities, such as universal links and those of Handoff.
        public let userActivities: Set<NSUserActivity>
    }

    extension AppConnectionOptions: CustomStringConvertible, CustomReflectable {
        /// The same text for all options; never their content.
        public nonisolated var description: String { "connection options of the app's own" }
        /// A mirror without children, because the app's own URLs can hold secrets, such as the code of an invitation.
        public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
