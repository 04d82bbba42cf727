public import AuthStreams
public import Foundation
import LoopbackHTTP

/// Apple, Google, Kakao, Naver, Firebase and the app's own server on one port of this machine, speaking their wire protocols for tests.
///
/// What production serves at `https://HOST/PATH` is served at `BASE/HOST/PATH`, issuers included, so a client differs
/// from production by base URLs and issuers alone. It is as strict as production: redirect URIs, PKCE, single-use
/// codes, secrets, audiences, nonces and expiries; tokens are really signed.
///
/// ```swift
/// try await withEmulator { emulator in
///     let token = emulator.url(for: "https://kauth.kakao.com/oauth/token")
///     emulator.inject(.status(503), at: .kakaoToken)
///     …
///     #expect(emulator.journal.entries.map(\.path) == ["/oauth/authorize", "/oauth/token"])
/// }
/// ```
///
/// It listens on 127.0.0.1 only; a test in the same process can do without the network, see ``EmulatorTransport``. Its
/// keys and secrets are public: never let anything real trust them.
public final class Emulator: Sendable {
    /// What it was started with.
    public let configuration: EmulatorConfiguration
    /// Where it listens, such as `http://127.0.0.1:49152`.
    public let baseURL: URL

    private let listener: LoopbackServer
    /// Resolved when the emulator is stopped.
    let stopped = Promise<Void>()
    let router: EmulatorRouter

    private init(
        _ configuration: EmulatorConfiguration, listener: LoopbackServer, router: EmulatorRouter, baseURL: URL
    ) {
        self.configuration = configuration
        self.listener = listener
        self.router = router
        self.baseURL = baseURL
    }

    deinit { listener.stop() }

    /// Starts an emulator that runs until ``stop()``, or until nobody holds it any more.
    ///
    /// In tests prefer ``withEmulator(_:_:)``, which cannot forget to stop.
    ///
    /// - Parameters:
    ///   - configuration: Apps, users and clock; the defaults are meant to be used.
    ///   - port: The port on 127.0.0.1; 0 takes a free one.
    /// - Throws: An error that says why, when the port is taken or may not be opened.
    public static func start(_ configuration: EmulatorConfiguration = .init(), port: UInt16 = 0) throws -> Emulator {
        EmulatorCrypto.notice
        // The router needs the port, which is known only once the server listens; a request that is quicker waits.
        let ready = Promise<EmulatorRouter>()
        let listener = try LoopbackServer.start(port: port) { request in
            guard let router = await ready.value() else { return .dropConnection }
            return await router.respond(to: request)
        }
        let base = "http://127.0.0.1:\(listener.port)"
        guard let baseURL = URL(string: base) else { throw URLError(.badURL) }
        let secrets = SecretStore()
        let services = EmulatorServices.all(for: configuration).flatMap { service in
            service.hosts.map { ($0, [service]) }
        }
        let router = EmulatorRouter(
            configuration: configuration, base: base, journal: JournalStore(), faults: FaultPlan(), secrets: secrets,
            grants: GrantStore(clock: configuration.clock), signer: TokenSigner(),
            services: Dictionary(services, uniquingKeysWith: +))
        ready.resolve(router)
        return Emulator(configuration, listener: listener, router: router, baseURL: baseURL)
    }

    /// Closes the port and every connection. An answer that is being held is dropped. Further calls do nothing.
    public func stop() {
        listener.stop()
        stopped.resolve(())
    }
}

extension Emulator {
    /// Where a production URL is served here: `https://HOST/PATH` is at `BASE/HOST/PATH`, with the same query.
    ///
    /// Issuers are URLs too: `url(for: "https://accounts.google.com")`.
    public func url(for productionURL: String) -> URL {
        URL(string: productionURL)?.relocated(onto: baseURL) ?? baseURL
    }

    /// The production hosts it stands for, in alphabetical order.
    public var hosts: [String] { router.services.keys.sorted() }

    /// Whether its tokens are really signed. Where the system has no libcrypto, their third part is empty, and the first
    /// emulator of a process says so on stderr.
    public var signsTokens: Bool { router.signer.isAvailable }

    /// Whether a provider lets anybody do anything for that person, by a token that is good. Codes and ID tokens let nobody.
    ///
    /// - Parameters:
    ///   - provider: `apple.com`, `google.com`, `kakao` or `naver`; `false` for any other.
    ///   - userID: The provider's identifier of the person.
    public func grantsAccess(at provider: ProviderID, to userID: String) -> Bool {
        let issuers: [ProviderID: Grant.Issuer] = [.apple: .apple, .google: .google, .kakao: .kakao, .naver: .naver]
        return issuers[provider].map { router.grants.hasTokens(of: $0, userID: userID) } ?? false
    }

    /// The requests so far, and a way to wait for one.
    public var journal: EmulatorJournal { EmulatorJournal(router.journal) }

    /// Every code, token, nonce and verifier that it issued or received, for tests that look for leaks.
    public var issuedSecrets: [IssuedSecret] { router.secrets.all }

    /// Misbehaves at an endpoint.
    ///
    /// A request takes the first fault that fits it, in the order they were injected.
    public func inject(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint, _ times: EmulatorFault.Times = .once) {
        router.faults.add(fault, at: endpoint, times: times)
    }

    /// Behaves well again everywhere. Answers that are being held stay held until their gates open.
    public func clearFaults() { router.faults.clear() }
}
