public import AuthStreams
public import AuthStreamsOAuth
public import Foundation

/// The four providers, and the one for any issuer, configured for an emulator's apps.
public struct EmulatedProviders: Sendable {
    /// Apple for the web, through the emulator's relay.
    public let apple: AppleWebProvider
    /// Google, with the chosen redirect.
    public let google: GoogleProvider
    /// Kakao, by KakaoTalk or the account page.
    public let kakao: KakaoProvider
    /// Naver, by its app or the browser.
    public let naver: NaverProvider

    /// Google as any OpenID Connect issuer, by its metadata.
    public let openID: OpenIDProvider

    /// The four, in the order in which an app would show them.
    public var all: [any AuthProvider] { [apple, google, kakao, naver] }

    /// Configures the providers.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - apps: The emulator's apps.
    ///   - opener: Opens apps and pages: usually ``EmulatedApps`` with a ``ScriptedBrowser`` behind it.
    ///   - callbacks: The router that receives incoming URLs.
    ///   - googleRedirect: How Google's answer returns: to a listener, as for a program on a computer, unless given.
    ///   - transport: Sends the requests.
    ///   - clock: The clock.
    public init(
        at base: URL, apps: EmulatorConfiguration = EmulatorConfiguration(), opener: any ApplicationOpener,
        callbacks: CallbackRouter, googleRedirect: GoogleProvider.Redirect = .loopback,
        transport: any HTTPTransport, clock: AuthClock = .system
    ) {
        let browser = SystemBrowser(opener: opener, callbacks: callbacks, clock: clock)
        apple = AppleWebProvider(
            servicesID: apps.apple.servicesID,
            relayURL: URL(literal: "https://apple-relay.example/callback").relocated(onto: base),
            callback: URL(string: apps.apple.relayCallback) ?? base, userAgent: browser, transport: transport,
            clock: clock, endpoints: .emulator(at: base))
        let client = googleRedirect == .loopback ? apps.google.desktop : apps.google.iOS
        google = GoogleProvider(
            clientID: client.id, clientSecret: client.secret.map { Secret($0) }, redirect: googleRedirect,
            userAgent: browser, transport: transport, clock: clock, endpoints: .emulator(at: base))
        openID = OpenIDProvider(
            "openid", issuer: URL(literal: "https://accounts.google.com").relocated(onto: base).absoluteString,
            clientID: apps.google.desktop.id,
            authentication: apps.google.desktop.secret.map { .basic(Secret($0)) } ?? .publicClient,
            redirect: .loopback(path: "/callback"), userAgent: browser, transport: transport, clock: clock)
        kakao = KakaoProvider(
            .init(
                nativeAppKey: apps.kakao.nativeAppKey, bundleID: apps.kakao.bundleIDs.first,
                endpoints: .emulator(at: base)),
            callbacks: callbacks, opener: opener, userAgent: browser, transport: transport, clock: clock)
        naver = NaverProvider(
            .init(
                clientID: apps.naver.clientID, urlScheme: apps.naver.urlScheme, appName: apps.appName,
                endpoints: .emulator(at: base)),
            callbacks: callbacks, opener: opener, userAgent: browser, clock: clock)
    }
}
