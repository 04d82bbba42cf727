public import AuthStreams
public import Foundation

/// A phone with your app on it: the whole chain, from a tap to the emulated servers, with a scripted person in front.
///
/// ```swift
/// try await withEmulator { emulator in
///     let device = await EmulatedDevice(at: emulator.baseURL)
///     let user = try await device.auth.signIn(with: .kakao).value.user     // by KakaoTalk
///     device.apps.kakaoTalk = .cancel
///     …
/// }
/// ```
///
/// Apple and Google go by the scripted browser, Kakao and Naver by their scripted apps; every request is real HTTP. What the
/// apps answer comes back through `AuthService.handle(_:)`, as on a phone.
@MainActor
public final class EmulatedDevice {
    /// The app's sign-in, made of the emulator's defaults: every provider, and the server that was asked for.
    public let auth: AuthService
    /// KakaoTalk and the Naver app.
    public let apps: EmulatedApps
    /// The system's browser.
    public let browser: ScriptedBrowser

    /// Sets the phone up.
    ///
    /// - Parameters:
    ///   - base: Where the emulator listens: in this process (``Emulator/baseURL``) or in another.
    ///   - configuration: The apps it knows.
    ///   - backend: What the app has for a server; Firebase unless given.
    ///   - store: Where the app keeps its session; in memory unless given.
    ///   - transport: The app's network.
    ///   - clock: The app's time.
    ///   - leftBehind: What another SDK left on the phone; see `AuthService`.
    public init(
        at base: URL, configuration: EmulatorConfiguration = EmulatorConfiguration(),
        backend: Backend = .firebase, store: any SessionStore = MemorySessionStore(),
        transport: any HTTPTransport = URLSessionTransport(), clock: AuthClock = .system,
        leftBehind: LeftBehind? = nil
    ) {
        // The apps answer to the service, which is made of providers that open the apps.
        let service = ServiceReference()
        let handle: @Sendable (URL) -> Bool = { service.handle($0) }
        let network = URLSessionTransport()
        browser = ScriptedBrowser(transport: network, deliver: handle)
        apps = EmulatedApps(emulator: base, transport: network, next: browser, handle: handle)
        let callbacks = CallbackRouter()
        let providers = EmulatedProviders(
            at: base, apps: configuration, opener: apps, callbacks: callbacks, transport: transport, clock: clock)
        auth = AuthService(
            repository: backend.repository(at: base, configuration, transport: transport, clock: clock),
            providers: providers.all, store: store, callbacks: callbacks, clock: clock, leftBehind: leftBehind)
        service.set(auth)
    }
}

/// The service, for those that were made before it. Holds it weakly: the device's owner decides how long it lives.
private final class ServiceReference: Sendable {
    private struct Weak: Sendable {
        weak var service: AuthService?
    }
    private let reference = Lock(Weak())

    func set(_ service: AuthService) { reference.withLock { $0.service = service } }

    func handle(_ url: URL) -> Bool { reference.withLock { $0.service }?.handle(url) ?? false }
}
