/// What a service's providers and its repository share: the network, the store, the browser, other apps, the app's URLs and
/// the time.
///
/// Each part is said once, and the factories of providers and repositories take it from here:
///
/// ```swift
/// let auth = AuthService(
///     .firebase(id: "my-app", apiKey: "AIza…", functionsIn: .seoul),
///     providers: [.apple, .google(clientID: "…"), .kakao(nativeAppKey: "…")],
///     platform: .app)
/// ```
///
/// | platform | module | parts |
/// | --- | --- | --- |
/// | `.app` | AuthStreamsApple | the Keychain, the web authentication session, the apps of the device |
/// | `.commandLine` | AuthStreamsOAuth | files, the person's browser, a listener on this machine; refreshes on demand |
/// | your own | AuthStreams | the parts that you give |
///
/// The parts can be replaced. Each provider gets a user agent made of the parts that the platform has when the service is
/// made:
///
/// ```swift
/// var platform = AuthPlatform.app
/// platform.transport = measuredTransport
/// ```
///
/// A platform and its copies have one router, so the providers wait for the URLs that the service's
/// ``AuthService/handle(_:)`` receives.
public struct AuthPlatform: Sendable {
    /// How a provider's page returns its answer, where the provider offers a choice (RFC 8252 section 7).
    public enum Redirect: Hashable, Sendable {
        /// By a URL that opens the app: of a scheme of its own, or an https link that it claims.
        case appURL
        /// To a listener on this machine.
        case loopback
    }

    /// Sends the requests to the providers and to the server.
    public var transport: any AuthHTTPTransport
    /// The persistent storage of the session.
    public var store: any SessionStore
    /// Opens other apps, and the browser where pages are shown in it.
    public var opener: any ApplicationOpener
    /// Measures expiries, retries and time limits.
    public var clock: AuthClock
    /// When the service requests new tokens.
    public var refreshPolicy: RefreshPolicy
    /// Where the app is, for a ``SessionGate``.
    public var activity: AppActivity
    /// How a provider's page returns its answer. ``userAgent`` must support it; otherwise attempts end with `misconfigured`.
    public var redirect: Redirect
    /// Receives the URLs that the app is opened with.
    public let callbacks = CallbackRouter()
    /// The repository of the service that a provider is made for; `nil` until it is made.
    package var repository: (any AuthRepository)?
    private let makeUserAgent: @Sendable (AuthPlatform) -> any UserAgent

    /// Makes a platform.
    ///
    /// ```swift
    /// AuthPlatform(store: store, opener: opener, redirect: .loopback) {
    ///     SystemBrowser(opener: $0.opener, callbacks: $0.callbacks, clock: $0.clock)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: The persistent storage of the session.
    ///   - opener: Opens other apps, and the browser where pages are shown in it.
    ///   - redirect: How a provider's page returns its answer; it must be one that the user agent supports.
    ///   - transport: Sends the requests; `URLSession` unless given.
    ///   - clock: Measures expiries, retries and time limits; the system's unless given.
    ///   - refreshPolicy: When the service requests new tokens; ahead of expiry unless given. A process that may end at any moment
    ///     gives `onDemand`.
    ///   - activity: Where the app is, for a ``SessionGate``: always in front unless given.
    ///   - userAgent: Returns what shows the providers' pages. Receives the platform, with its opener, router and clock.
    public init(
        store: any SessionStore, opener: any ApplicationOpener, redirect: Redirect,
        transport: any AuthHTTPTransport = URLSessionTransport(), clock: AuthClock = .system,
        refreshPolicy: RefreshPolicy = .aheadOfExpiry, activity: AppActivity = .always,
        userAgent: @escaping @Sendable (AuthPlatform) -> any UserAgent
    ) {
        self.transport = transport
        self.store = store
        self.opener = opener
        self.clock = clock
        self.refreshPolicy = refreshPolicy
        self.activity = activity
        self.redirect = redirect
        makeUserAgent = userAgent
    }

    /// Shows the providers' pages. Each access makes one.
    public var userAgent: any UserAgent { makeUserAgent(self) }
}
