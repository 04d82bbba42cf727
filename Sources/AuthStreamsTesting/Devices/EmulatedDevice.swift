public import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
public import Foundation

/// A phone with your app on it: the whole chain, from a tap to the emulated servers, with a scripted person.
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
/// Apple and Google use the scripted browser, Kakao and Naver their scripted apps; every request is real HTTP. The
/// apps' answers arrive through `AuthService.handle(_:)`, as on a phone.
@MainActor
public final class EmulatedDevice {
    /// The app's sign-in, configured with the emulator's defaults: every provider, and the chosen server.
    public let auth: AuthService
    /// The service's router.
    package let callbacks: CallbackRouter
    /// KakaoTalk and the Naver app.
    public let apps: EmulatedApps
    /// The system's browser.
    public let browser: ScriptedBrowser

    /// Makes a device.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL, in this process (``Emulator/baseURL``) or in another.
    ///   - configuration: The emulator's apps.
    ///   - backend: The app's server; Firebase unless given.
    ///   - store: The app's session store; in memory unless given.
    ///   - transport: The app's network. Unless given, requests wait for the answer as long as the emulator takes.
    ///   - clock: The app's clock.
    ///   - adoption: The session of another SDK on the phone; see `AuthService`.
    ///   - api: The servers that `AuthService.data(for:)` may send the access token to; the emulator unless given.
    public init(
        at base: URL, configuration: EmulatorConfiguration = EmulatorConfiguration(),
        backend: Backend = .firebase, store: any SessionStore = MemorySessionStore(),
        transport: any AuthHTTPTransport = .untimed(), clock: AuthClock = .system,
        adoption: SessionAdoption? = nil, api: APIAccess? = nil
    ) {
        // The apps answer to the service, whose providers open the apps.
        let service = ServiceReference()
        let handle: @Sendable (URL) -> Bool = { service.handle($0) }
        let network = URLSessionTransport.untimed()
        browser = ScriptedBrowser(transport: network, deliver: handle)
        apps = EmulatedApps(emulator: base, transport: network, next: browser, handle: handle)
        let platform = AuthPlatform(
            store: store, opener: apps, redirect: .loopback, transport: transport, clock: clock
        ) { SystemBrowser(emulatedBy: $0.opener, callbacks: $0.callbacks, clock: $0.clock) }
        callbacks = platform.callbacks
        auth = AuthService(
            backend.factory(at: base, configuration),
            providers: AuthProviderFactory.emulated(at: base, apps: configuration), platform: platform,
            adoption: adoption, api: api ?? APIAccess(to: [base]))
        service.set(auth)
    }
}

extension EmulatedDevice {
    /// The server of an emulated app.
    public enum Backend: String, CaseIterable, Sendable {
        /// Firebase Authentication and a callable function.
        case firebase
        /// The app's own server.
        case server

        func factory(at base: URL, _ configuration: EmulatorConfiguration) -> AuthRepositoryFactory {
            let project = configuration.firebase
            return switch self {
            case .firebase:
                .firebase(project.client(at: base), routes: project.routes, functions: project.accountFunctions)
            case .server: .server(ServerRepository.emulatedURL(at: base), contract: .emulated)
            }
        }
    }
}

/// A weak reference to the service, for objects that are made before it.
private final class ServiceReference: Sendable {
    private struct Weak: Sendable {
        weak var service: AuthService?
    }
    private let reference = Lock(Weak())

    func set(_ service: AuthService) { reference.withLock { $0.service = service } }

    func handle(_ url: URL) -> Bool { reference.withLock { $0.service }?.handle(url) ?? false }
}
