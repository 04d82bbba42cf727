public import AuthStreams

extension EmulatorConfiguration {
    /// The app's own server, which speaks the contract of `ServerRepository`.
    public struct Server: Sendable {
        /// Where it is, in production's words.
        public static let baseURL = "https://api.pulseboard.example"
        static let host = "api.pulseboard.example"

        /// The providers whose credentials it takes.
        public var providers: Set<ProviderID> = [.apple, .google, .kakao, .naver]
        /// How long an access token is good for.
        public var accessTokenLifetime = Duration.seconds(900)
        /// How long a refresh token is good for, from its issue. Each works once.
        public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
        /// How long a refresh token that was just replaced is taken once more, in case its answer was lost; `nil` for never.
        ///
        /// The answer has a further access token, and the same next refresh token as before, so that a family stays one
        /// line. It is forgiven once, and only while nobody has used that next one; after it, a further use ends the family
        /// (RFC 9700 section 4.14).
        public var refreshReuseWindow: Duration?
        /// Whether there are refresh tokens; else a session lasts as long as its access token.
        public var givesRefreshTokens = true
        /// How long a sign-in is recent enough to delete the account or to unlink an identity.
        public var recentSignIn = Duration.seconds(300)
        /// Whether a sign-out with an access token that is over is refused whatever its refresh token is, as by a server that
        /// checks every access token first.
        public var checksAccessTokenAtSignOut = false
        /// Whether there are users without an identity.
        public var takesAnonymousUsers = true
    }
}
