public import AuthStreams

/// The apps, users and time of an ``Emulator``.
///
/// The defaults are meant to be used: one app registered at every provider, and two people with an account at each.
/// Secrets in here are as public as this source.
public struct EmulatorConfiguration: Sendable {
    /// The app at Apple.
    public var apple = Apple()
    /// The app at Google.
    public var google = Google()
    /// The app at Kakao.
    public var kakao = Kakao()
    /// The app at Naver.
    public var naver = Naver()
    /// The Firebase project.
    public var firebase = Firebase()
    /// The app's name on the consent pages.
    public var appName = "PulseBoard"
    /// The time by which codes and tokens expire.
    public var clock: AuthClock

    /// Makes a configuration with the defaults, to be changed where a test needs it.
    public init(clock: AuthClock = .system) {
        self.clock = clock
    }
}

extension EmulatorConfiguration {
    /// The project whose Identity Toolkit and functions are emulated.
    public struct Firebase: Sendable {
        /// The project's identifier.
        public var projectID = "authstreams-demo"
        /// The key that its REST API asks for.
        public var apiKey = "emulator-api-key"
        /// The region of its functions.
        public var region = "asia-northeast3"
        /// The name of the function that turns a Kakao or Naver credential into a custom token.
        public var function = "socialLogin"

        /// The host of its functions, such as `asia-northeast3-authstreams-demo.cloudfunctions.net`.
        public var functionsHost: String { "\(region)-\(projectID).cloudfunctions.net" }
    }
}
