public import AuthStreams
public import AuthStreamsOAuth
public import Foundation

/// The four providers, configured for an emulator's apps.
public struct EmulatedProviders: Sendable {
    /// Apple for the web, through the emulator's relay.
    package let apple: AppleWebProvider
    /// Google, with the chosen redirect.
    package let google: GoogleProvider
    /// Kakao, by KakaoTalk or the account page.
    package let kakao: KakaoProvider
    /// Naver, by its app or the browser.
    package let naver: NaverProvider

    /// The app's own OpenID Connect issuer, with tokens as the credential. Its answer returns as Google's does.
    package let openID: OpenIDProvider
    /// The same issuer, with the code as the credential, for an `OpenIDRepository`.
    package let openIDCode: OpenIDProvider

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
        transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        let browser = SystemBrowser(emulatedBy: opener, callbacks: callbacks, clock: clock)
        apple = AppleWebProvider(
            servicesID: apps.apple.servicesID,
            relayURL: URL(literal: "https://apple-relay.example/callback").relocated(onto: base),
            callback: URL(string: apps.apple.relayCallback) ?? base, userAgent: browser, transport: transport,
            clock: clock, endpoints: .emulator(at: base))
        let client = googleRedirect == .loopback ? apps.google.desktop : apps.google.iOS
        google = GoogleProvider(
            clientID: client.id, clientSecret: client.secret.map { Secret($0) }, redirect: googleRedirect,
            userAgent: browser, transport: transport, clock: clock, endpoints: .emulator(at: base))
        let redirect: AuthorizationPage.Redirect =
            googleRedirect == .loopback
            ? .loopback(path: "/callback/openid") : .redirect(URL(literal: "com.example.pulseboard:/callback"))
        let realm = { (redeemer: OpenIDProvider.Redeemer) in
            OpenIDProvider(
                .keycloak(
                    realm: "main", at: URL(literal: "https://id.pulseboard.example").relocated(onto: base),
                    clientID: apps.issuer.clientID, redirect: redirect),
                redeemer: redeemer, userAgent: browser, transport: transport, clock: clock)
        }
        openID = realm(.app)
        openIDCode = realm(.repository)
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

extension AuthProviderFactory {
    /// Apple by its page, Google, Kakao and Naver, configured for an emulator's apps, in the order in which an app would show
    /// them.
    ///
    /// Google's client is the one for where the platform's pages return their answers.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - apps: The emulator's apps.
    public static func emulated(at base: URL, apps: EmulatorConfiguration = EmulatorConfiguration()) -> [Self] {
        [
            .apple(
                servicesID: apps.apple.servicesID,
                relay: URL(literal: "https://apple-relay.example/callback").relocated(onto: base),
                callback: URL(string: apps.apple.relayCallback) ?? base, endpoints: .emulator(at: base)),
            Self { platform in
                let client = platform.redirect == .loopback ? apps.google.desktop : apps.google.iOS
                return Self.google(
                    clientID: client.id, clientSecret: client.secret.map { Secret($0) }, endpoints: .emulator(at: base)
                ).provider(for: platform)
            },
            .kakao(
                .init(
                    nativeAppKey: apps.kakao.nativeAppKey, bundleID: apps.kakao.bundleIDs.first,
                    endpoints: .emulator(at: base))),
            .naver(
                .init(
                    clientID: apps.naver.clientID, urlScheme: apps.naver.urlScheme, appName: apps.appName,
                    endpoints: .emulator(at: base))),
        ]
    }
}
