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
        /// Whether there are refresh tokens; else a session lasts as long as its access token.
        public var givesRefreshTokens = true
        /// How long a sign-in is recent enough to delete the account.
        public var recentSignIn = Duration.seconds(300)
    }
}
