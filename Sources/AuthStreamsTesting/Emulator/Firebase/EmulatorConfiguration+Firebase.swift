public import AuthStreams
public import AuthStreamsFirebase

extension EmulatorConfiguration {
    /// The project whose Identity Toolkit, Secure Token and functions are emulated.
    public struct Firebase: Sendable {
        /// The project's identifier.
        public var projectID = "authstreams-demo"
        /// The project's number, which Secure Token calls `project_id`.
        public var projectNumber = "100100100100"
        /// The key that its REST API asks for.
        public var apiKey = "emulator-api-key"
        /// Who signs the custom tokens of its functions.
        public var serviceAccount = "firebase-adminsdk@authstreams-demo.iam.gserviceaccount.com"
        /// The providers that `signInWithIdp` takes.
        public var enabledProviders: Set<ProviderID> = [.apple, .google]
        /// Whether anybody may be let in without an identity.
        public var allowsAnonymousUsers = true
        /// Whether each refresh answers with another refresh token. Production may; the old one stays good either way.
        public var rotatesRefreshTokens = false
        /// How recent a sign-in has to be to unlink an identity; `nil` for however old, as in production.
        public var recentSignInToUnlink: Duration?
        /// The region of its functions.
        public var region = "asia-northeast3"
        /// The name of the function that turns a Kakao or Naver credential into a custom token.
        public var function = "socialLogin"
        /// Further addresses of that function, such as `https://api.example/socialLogin` of a domain of its own, or the
        /// `https://sociallogin-abcdefghij-du.a.run.app` of a second-generation one.
        public var functionURLs: [String] = []
        /// What that function reads and answers. It refuses any other field. Its twin reads the same.
        public var functionFormat = SocialLoginFunction.Format.standard
        /// The name of the twin, which ends at the provider what a sign-in began.
        public var revocationFunction = "revokeSocialLogin"
        /// The name of the function that ends all sessions of its caller.
        public var sessionRevocationFunction = "revokeSessions"
        /// The bundle identifiers that the API key is restricted to. Empty: it is not.
        ///
        /// Production asks for none at functions, which have no API key; the emulated ones do, as their own first check.
        public var requiredBundleIDs: Set<String> = []
        /// The App Check tokens that hold. Empty: App Check is not enforced.
        public var appCheckTokens: Set<String> = []

        /// The host of its functions, such as `asia-northeast3-authstreams-demo.cloudfunctions.net`.
        public var functionsHost: String { "\(region)-\(projectID).cloudfunctions.net" }
    }
}
