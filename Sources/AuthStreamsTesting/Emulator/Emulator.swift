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
/// It listens on 127.0.0.1, and on ::1 where the machine has it. Under each of its names, `localhost` too, issuers and
/// endpoints have that name; a token names the issuer by which it was asked for, and is valid under each name. A test in
/// the same process can avoid the network, see ``EmulatorTransport``. Its keys and secrets are public: never let a real
/// service trust them.
///
/// Pages of other sites have no access to its own pages and forms, to the apps and systems that it emulates, or under
/// another name:
///
/// - A `Host` other than 127.0.0.1, localhost or [::1] with its port, and not in ``EmulatorConfiguration/allowedHosts``, is
///   answered 421, so that a site whose name leads to this machine reads nothing.
/// - An `Origin` other than those, and not in ``EmulatorConfiguration/allowedOrigins``, or `null`, is answered 403 at the dashboard and
///   the control, at `app.example` and below `/emulator/` of a host.
/// - Any `Origin` is answered as none at the endpoints of a production service. Scripts may read it (CORS), except pages,
///   redirects, and what production shows no script: Apple's and Naver's endpoints, and Google's revocation.
public final class Emulator: Sendable {
    /// The configuration, with the changes that were made over HTTP.
    public var configuration: EmulatorConfiguration { router.world.configuration }
    /// The emulator's URL, such as `http://127.0.0.1:49152`.
    public let baseURL: URL

    private let listeners: [LoopbackServer]
    /// Resolved when the emulator is stopped.
    let stopped = Promise<Void>()
    let router: EmulatorRouter

    private init(listeners: [LoopbackServer], router: EmulatorRouter, baseURL: URL) {
        self.listeners = listeners
        self.router = router
        self.baseURL = baseURL
    }

    deinit { for listener in listeners { listener.stop() } }

    /// Starts an emulator that runs until ``stop()``, or until its last reference is released.
    ///
    /// In tests prefer ``withEmulator(_:_:)``, which always stops it.
    ///
    /// - Parameters:
    ///   - configuration: Apps, users and clock; the defaults are ready to use.
    ///   - port: The port on 127.0.0.1 and ::1; 0 takes a free one.
    /// - Throws: A descriptive error if the port is taken or may not be opened, or if providers cannot call an address of the
    ///   configuration.
    public static func start(_ configuration: EmulatorConfiguration = .init(), port: UInt16 = 0) throws -> Emulator {
        try configuration.checkWebhooks()
        EmulatorCrypto.notice
        // The router needs the port, which is known only once the server listens; an earlier request waits.
        let ready = Promise<EmulatorRouter>()
        let listeners = try LoopbackServer.startAtEachAddress(port: port) { request in
            guard let router = await ready.value() else { return .dropConnection }
            return await router.respond(to: request)
        }
        let router = EmulatorRouter(configuration, port: listeners[0].port)
        guard let baseURL = URL(string: router.base) else { throw URLError(.badURL) }
        ready.resolve(router)
        return Emulator(listeners: listeners, router: router, baseURL: baseURL)
    }

    /// Closes the port and every connection. A held answer is dropped. Further calls do nothing.
    public func stop() {
        for listener in listeners { listener.stop() }
        stopped.resolve(())
    }
}

extension Emulator {
    /// Returns the emulator's URL for a production URL: `https://HOST/PATH` is at `BASE/HOST/PATH`, with the same
    /// query.
    ///
    /// Issuers are URLs too: `url(for: "https://accounts.google.com")`.
    public func url(for productionURL: String) -> URL {
        URL(string: productionURL)?.relocated(onto: baseURL) ?? baseURL
    }

    /// The production hosts that it emulates, in alphabetical order.
    public var hosts: [String] { router.world.services.keys.sorted() }

    /// Whether its tokens have real signatures. If the system has no libcrypto, their third part is empty, and the
    /// first emulator of a process reports it on stderr.
    public var signsTokens: Bool { router.signer.isAvailable }

    /// Returns whether a valid token gives access to that person's data at a provider. Codes and ID tokens give none.
    ///
    /// - Parameters:
    ///   - provider: `apple.com`, `google.com`, `kakao` or `naver`; `false` for any other.
    ///   - userID: The provider's identifier of the person.
    public func grantsAccess(at provider: ProviderID, to userID: String) -> Bool {
        let issuers: [ProviderID: Grant.Issuer] = [.apple: .apple, .google: .google, .kakao: .kakao, .naver: .naver]
        return issuers[provider].map { router.world.grants.hasTokens(of: $0, userID: userID) } ?? false
    }

    /// The requests so far, and a way to wait for one.
    public var journal: EmulatorJournal { EmulatorJournal(router.journal) }

    /// The codes, tokens, nonces and verifiers that it issued or received, for tests that look for leaks: those of the requests in the
    /// journal.
    public var issuedSecrets: [IssuedSecret] { router.journal.secrets }

    /// What people do in the settings of their Apple Account.
    public var apple: EmulatedApple { EmulatedApple(context: router.context) }

    /// What Kakao and the people there do about the app.
    public var kakao: EmulatedKakao { EmulatedKakao(context: router.context) }

    /// What people do in the settings of their Naver account.
    public var naver: EmulatedNaver { EmulatedNaver(context: router.context) }

    /// The back office of the OpenID Connect issuer.
    public var issuer: EmulatedIssuer {
        EmulatedIssuer(
            grants: router.world.grants, configuration: configuration,
            state: router.world.service(OpenIDIssuer.self)?.state ?? Lock(OpenIDIssuer.State()))
    }

    /// Adds a fault at an endpoint.
    ///
    /// A request takes the first matching fault, in the order in which they were injected.
    public func inject(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint, _ times: EmulatorFault.Times = .once) {
        router.faults.add(fault, at: endpoint, times: times)
        router.journal.announceChange()
    }

    /// Removes all faults. Held answers stay held until their gates open.
    public func clearFaults() {
        router.faults.clear()
        router.journal.announceChange()
    }
}

/// Runs a test with an emulator that is stopped when the body ends.
///
/// Test runners start hundreds of tests at once, and each emulator takes sockets and connections. So one process runs
/// at most two at a time for each core, and the others wait. An emulator within the body of another does not
/// wait.
///
/// - Parameters:
///   - configuration: Apps, users and clock; the defaults are ready to use.
///   - body: Receives the emulator. Its value is returned, its error thrown.
/// - Throws: The body's error, a descriptive error if no port could be opened, or `CancellationError` if the task was
///   cancelled while it waited.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(), _ body: (Emulator) async throws -> Value
) async throws -> Value {
    try await ResourceLimit.shared.run {
        let emulator = try Emulator.start(configuration)
        defer { emulator.stop() }
        return try await body(emulator)
    }
}
