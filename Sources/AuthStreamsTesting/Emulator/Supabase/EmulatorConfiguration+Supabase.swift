extension EmulatorConfiguration {
    /// The project whose Supabase Auth is emulated.
    public struct Supabase: Sendable {
        /// The production base URL.
        public static let baseURL = "https://authstreams.supabase.co"
        static let host = "authstreams.supabase.co"

        /// The publishable key, which every request has to have.
        public var key = "sb_publishable_emulator"
        /// The providers whose ID tokens it takes, by their names at Supabase.
        public var providers: Set<String> = ["apple", "google", "kakao"]
        /// Whether a user may have no address.
        public var allowsUsersWithoutEmail = false
        /// Whether a sign-up sends a code and a link, and gives no session before.
        public var confirmsEmail = true
        /// Whether a new number is confirmed by a code.
        public var confirmsPhone = true
        /// Whether anonymous users are allowed.
        package var allowsAnonymousUsers = true
        /// Whether identities may be removed.
        package var allowsManualLinking = true
        /// Whether users may have authenticator apps.
        package var allowsAuthenticatorApps = true
        /// Whether a new password requires a code, if the session is older than a day.
        public var requiresReauthentication = false
        /// Whether a new password requires the current one.
        public var requiresCurrentPassword = false
        /// The shortest password.
        package var minimumPasswordLength = 6
        /// The lifetime of an access token.
        public var accessTokenLifetime = Duration.seconds(3600)
        /// How long after a refresh an older refresh token is taken, which then gets the current one. The one before the current is
        /// always taken.
        package var reuseInterval = Duration.seconds(10)
        /// The wait between two mails or messages of a kind to a user.
        package var mailInterval = Duration.seconds(60)
        /// How long a code or a link is valid.
        package var codeLifetime = Duration.seconds(3600)
        /// How long a challenge of a second factor is valid.
        package var challengeLifetime = Duration.seconds(300)
        /// The name of the Edge Function that deletes the account of its caller.
        public var deletionFunction = "delete-account"
    }
}

extension EmulatorEndpoint {
    /// Supabase's sessions: by an ID token, a password or a refresh token.
    public static let supabaseToken: Self = "authstreams.supabase.co/auth/v1/token"
}
