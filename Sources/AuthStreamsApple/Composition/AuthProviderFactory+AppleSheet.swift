#if AUTH_AUTHENTICATION_SERVICES
    public import AuthStreams
    public import AuthStreamsOAuth

    extension AuthProviderFactory {
        /// Sign-in with Apple by the system's sheet, with name and e-mail; see ``AppleProvider``.
        public static var apple: Self { .apple(scopes: [.name, .email]) }

        /// Sign-in with Apple by the system's sheet; see ``AppleProvider``.
        ///
        /// - Parameter scopes: The requested scopes.
        public static func apple(scopes: [AppleProvider.Scope]) -> Self {
            Self { AppleProvider(scopes: scopes, clock: $0.clock) }
        }
    }
#endif
