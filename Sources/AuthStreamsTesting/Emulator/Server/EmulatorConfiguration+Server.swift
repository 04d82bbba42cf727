public import AuthStreams

extension EmulatorConfiguration {
    /// The app's own server, with the contract of `ServerRepository`.
    public struct Server: Sendable {
        /// The production base URL.
        public static let baseURL = "https://api.pulseboard.example"
        static let host = "api.pulseboard.example"

        /// The providers whose credentials it takes.
        public var providers: Set<ProviderID> = [.apple, .google, .kakao, .naver]
        /// The lifetime of an access token.
        public var accessTokenLifetime = Duration.seconds(900)
        /// The lifetime of a refresh token, from its issue. Each works once.
        public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
        /// How long a refresh token that was just replaced is accepted once more, in case its answer was lost; `nil`
        /// for never.
        ///
        /// The answer has a further access token, and the same next refresh token as before. It is accepted once, and
        /// only while that next one is unused; a further use ends the family (RFC 9700 section 4.14).
        public var refreshReuseWindow: Duration?
        /// Whether there are refresh tokens; otherwise a session lasts as long as its access token.
        public var givesRefreshTokens = true
        /// How long a sign-in is recent enough to delete the account or to unlink an identity.
        public var recentSignIn = Duration.seconds(300)
        /// Whether a sign-out with an expired access token is refused even with a valid refresh token, as by a server
        /// that checks every access token first.
        public var checksAccessTokenAtSignOut = false
        /// Whether anonymous users are allowed.
        public var takesAnonymousUsers = true
        /// What the server wants of a new person before the account is made; nothing unless given. A field `nickname` becomes the
        /// user's name, and the nickname `admin` is refused.
        public var signUpFields: [Challenge.Field] = []
        /// How long a challenge is answered.
        public var challengeLifetime = Duration.seconds(600)
        /// How long a code is valid that was sent.
        public var codeLifetime = Duration.seconds(180)
        /// How many codes may be tried for a challenge.
        public var codeAttempts = 3
        /// The wait until another code is sent.
        public var resendAfter = Duration.seconds(30)
        /// The domain of the passkeys.
        public var relyingPartyID = "pulseboard.example"
        /// The origins of the apps and pages that may use the passkeys; `nil` for that of the domain, as of an app of Apple's systems.
        public var passkeyOrigins: Set<String>?
        /// Where the page of a step returns to the app, with a `ticket` in its query.
        public var pageCallback = "pulseboard://step"
    }
}

extension EmulatorEndpoint {
    /// The server's sign-in with a provider's credential.
    public static let serverSignIn: Self = "api.pulseboard.example/auth/sign-in"
    /// The server's refresh of a session.
    public static let serverRefresh: Self = "api.pulseboard.example/auth/refresh"
    /// The server's sign-out.
    public static let serverSignOut: Self = "api.pulseboard.example/auth/sign-out"
    /// The server's deletion of an account.
    public static let serverAccount: Self = "api.pulseboard.example/auth/account"
    /// The server's user of an access token, and the change of their profile.
    public static let serverUser: Self = "api.pulseboard.example/auth/user"
    /// The server's sign-out of all of a user's sessions.
    public static let serverSignOutEverywhere: Self = "api.pulseboard.example/auth/sign-out-everywhere"
    /// The server's creation of anonymous users.
    public static let serverAnonymous: Self = "api.pulseboard.example/auth/anonymous"
    /// The server's linking of an identity.
    public static let serverLinks: Self = "api.pulseboard.example/auth/links"
    /// The server's unlinking of a provider's identity.
    public static func serverLink(to provider: ProviderID) -> Self {
        Self(host: "api.pulseboard.example", path: "/auth/links/\(provider)")
    }
    /// The server's re-authentication.
    public static let serverReauthenticate: Self = "api.pulseboard.example/auth/reauthenticate"
    /// The server's sign-in by a password, and the change of it.
    public static let serverPassword: Self = "api.pulseboard.example/auth/password"
    /// The server's sign-up.
    public static let serverSignUp: Self = "api.pulseboard.example/auth/sign-up"
    /// The server's codes to addresses and numbers.
    public static let serverCode: Self = "api.pulseboard.example/auth/code"
    /// The server's answers to the person's answers.
    public static let serverChallenge: Self = "api.pulseboard.example/auth/challenge"
    /// The server's revocation of the app's access at a provider.
    public static let serverRevokeAccess: Self = "api.pulseboard.example/auth/revoke-access"
}
