extension ScriptedBrowser {
    /// The person's answer to a page.
    public struct Answer: Hashable, Sendable {
        enum Kind: Hashable {
            case approve(userID: String?)
            case deny
            case close
            case ignore
        }
        let kind: Kind

        /// Presses the button that agrees, for the account that the page proposes.
        public static let approve = Self(kind: .approve(userID: nil))
        /// Presses the button that refuses.
        public static let deny = Self(kind: .deny)
        /// Closes the page once it has loaded, and comes back without an answer.
        public static let close = Self(kind: .close)
        /// Leaves the page open and never comes back.
        public static let ignore = Self(kind: .ignore)

        /// Chooses that account, then presses the button that agrees.
        public static func approve(as userID: String) -> Self { Self(kind: .approve(userID: userID)) }
    }
}
