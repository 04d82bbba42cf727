public import AuthStreams

/// The apps, users and time of an ``Emulator``.
///
/// The defaults are ready to use: one app registered at every provider, and two people with an account at each. The
/// secrets here are public.
public struct EmulatorConfiguration: Sendable {
    /// The app at Apple.
    public var apple = Apple()
    /// The app at Google.
    public var google = Google()
    /// The app at Kakao.
    public var kakao = Kakao()
    /// The app at Naver.
    public var naver = Naver()
    /// The app's own OpenID Connect issuer.
    public var issuer = Issuer()
    /// The Firebase project.
    public var firebase = Firebase()
    /// The app's own server.
    public var server = Server()
    /// The app's name on the consent pages.
    public var appName = "PulseBoard"
    /// Further values of the `Host` field that it answers, such as `10.0.2.2:9099` for an Android emulator: with the port,
    /// unless a browser leaves it out.
    ///
    /// A page under such a name may read and send everything here, so add no name that others can make point to this
    /// machine.
    public var allowedHosts: Set<String> = []
    /// The time by which codes and tokens expire.
    public var clock: AuthClock

    /// Makes a configuration with the defaults. Change it where a test needs it.
    public init(clock: AuthClock = .system) {
        self.clock = clock
    }
}
