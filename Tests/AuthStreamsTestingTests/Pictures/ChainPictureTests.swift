import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The picture of the chain shows the order in which a sign-in at the emulator happens, and the states at that time.
@MainActor
@Suite struct ChainPictureTests {
    private let rows = RowLog()
    /// The service whose state is written down.
    private let shown = Lock<AuthService?>(nil)

    private func service(
        at emulator: Emulator, asking id: ProviderID, denied: Bool = false
    ) throws -> (auth: AuthService, log: PipelineLog) {
        let log = PipelineLog { [rows, shown] step in
            let state = shown.withLock { $0?.state }?.drawn ?? ""
            switch step {
            case .tap, .token, .message, .result(.failure): break
            case .authenticate: rows.note("tap", "AuthProvider", "authenticate(_:)", state)
            case .result(.credential): rows.note("AuthProvider", "AuthSignIn", "Credential", state)
            case .repository: rows.note("AuthSignIn", "AuthRepository", "signIn(with:)", state)
            case .server: rows.note("AuthRepository", "server", "HTTP requests", state)
            }
        }
        let (callbacks, network) = (CallbackRouter(), URLSessionTransport.untimed())
        let browser = ScriptedBrowser(transport: network, deliver: { callbacks.handle($0) })
        let apps = EmulatedApps(
            emulator: emulator.baseURL, transport: network, next: browser, handle: { callbacks.handle($0) })
        if denied { (browser.answers, apps.kakaoTalk) = ([.deny, .approve], .deny) }
        let providers = EmulatedProviders(
            at: emulator.baseURL, opener: apps, callbacks: callbacks, transport: network)
        let base = FirebaseRepository.emulated(
            at: emulator.baseURL, transport: WatchedTransport(base: network, log: log))
        let note: @Sendable ([String]) -> Void = { [rows, shown] fields in
            let state = shown.withLock { $0?.state }?.drawn ?? ""
            rows.note(fields[0], fields[1], fields[2], state)
        }
        let auth = AuthService(
            repository: WatchedRepository(base: ReturningRepository(base: base, note: note), log: log),
            providers: [WatchedProvider(base: try #require(providers.all.first { $0.id == id }), log: log)],
            store: WrittenStore(note: note), callbacks: callbacks, clock: .withoutPauses)
        shown.withLock { $0 = auth }
        return (auth, log)
    }

    nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao]

    @Test(arguments: providers) func hopsAreThoseOfASignIn(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let (auth, _) = try service(at: emulator, asking: provider)
            _ = await auth.states.prefix { $0 == .signedOut(nil) }
            let states = auth.states
            let reader = Task { [rows] in
                for await state in states where state.user != nil {
                    rows.note("SessionStore", "AuthStates", "the next element", state.drawn)
                    break
                }
            }
            let (taps, button) = AsyncStream<ProviderID>.makeStream()
            button.yield(provider)
            button.finish()
            for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { _ = try result.get() }
            await reader.value
            let drawn = try PictureTable("sign-in-chain").rows("hop")
            #expect(rows.rows == drawn)
            shown.withLock { $0 = nil }
        }
    }

    /// What a failure in one place leaves, and that the next tap works.
    @Test(arguments: ["AuthProvider", "server"]) func failureEndsTheAttemptAndNotTheTaps(place: String) async throws {
        try await withEmulator { emulator in
            let (auth, log) = try service(at: emulator, asking: .google, denied: place == "AuthProvider")
            _ = await auth.states.prefix { $0 == .signedOut(nil) }
            if place == "server" { emulator.inject(.status(400), at: "identitytoolkit.googleapis.com", .once) }
            let (taps, button) = AsyncStream<ProviderID>.makeStream()
            button.yield(.google)
            var ends: [String] = []
            var steps = log.steps
            for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) {
                ends.append("\(result.failure == nil ? "Result.success" : "Result.failure") \(auth.state.drawn)")
                if ends.count == 1 {
                    steps = log.steps
                    button.yield(.google)
                } else {
                    button.finish()
                }
            }
            let row = try #require(try PictureTable("sign-in-chain").rows("failure").first { $0[0] == place })
            #expect(ends == ["\(row[1]) \(row[2])", "Result.success signedIn(.verified)"])
            // It failed there: the server was asked if, and only if, it is the place.
            #expect(steps.contains(.server) == (place == "server"))
            shown.withLock { $0 = nil }
        }
    }

    @Test func failuresAreThoseThatArePlayed() throws {
        #expect(try PictureTable("sign-in-chain").rows("failure").map { $0[0] } == ["AuthProvider", "server"])
    }
}

/// A repository that writes down when it returns a session.
private struct ReturningRepository: AuthRepository {
    let base: any AuthRepository
    let note: @Sendable ([String]) -> Void

    func accepts(_ provider: ProviderID) -> Bool { base.accepts(provider) }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        let session = try await base.signIn(with: credential)
        note(["server", "SessionManager", "AuthSession"])
        return session
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { try await base.refresh(session) }
    func signOut(_ session: AuthSession) async throws(AuthError) { try await base.signOut(session) }
    func deleteAccount(_ session: AuthSession) async throws(AuthError) { try await base.deleteAccount(session) }
}

/// A store that writes down when a session is written.
private struct WrittenStore: SessionStore {
    private let base = MemorySessionStore()
    let note: @Sendable ([String]) -> Void

    init(note: @escaping @Sendable ([String]) -> Void) { self.note = note }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        if key == .session { note(["SessionManager", "SessionStore", "write(_:for:replacing:)"]) }
        return try await base.write(data, for: key, replacing: version)
    }

    func waitUntilUnlocked() async {}
}
