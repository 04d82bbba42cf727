#if AUTH_AUTHENTICATION_SERVICES
    extension WebAuthenticationAgent {
        /// Which cookies the page has.
        public enum BrowserSession: Equatable, Sendable {
            /// Those of the person's browser, where they may be signed in to the provider already. The system asks them first
            /// whether the app may use the website.
            case shared
            /// None, and none are kept: the person logs in each time.
            case ephemeral
        }
    }
#endif
