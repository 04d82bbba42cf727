import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// tap → authenticate → stream of `Result` → token to the use case, or message to the screen → repository → server.
@MainActor
@Suite struct PipelineTests {
    /// The parts of an app, each real, each watched, all against one emulator.
    private struct App {
        let log = PipelineLog()
        let callbacks = CallbackRouter()
        let manager = SessionManager(store: MemorySessionStore(), clock: .withoutPauses)
        let browser: ScriptedBrowser
        let apps: EmulatedApps
        let providers: EmulatedProviders
        let repository: WatchedRepository

        @MainActor
        init(_ emulator: Emulator) {
            let network = URLSessionTransport.untimed()
            browser = ScriptedBrowser(transport: network, deliver: { [callbacks] in callbacks.handle($0) })
            apps = EmulatedApps(
                emulator: emulator.baseURL, transport: network, next: browser,
                handle: { [callbacks] in callbacks.handle($0) })
            providers = EmulatedProviders(
                at: emulator.baseURL, opener: apps, callbacks: callbacks, transport: network)
            repository = WatchedRepository(
                base: FirebaseRepository.emulated(
                    at: emulator.baseURL, transport: WatchedTransport(base: URLSessionTransport.untimed(), log: log)),
                log: log)
        }

        func provider(_ id: ProviderID) throws -> WatchedProvider {
            let base = providers.all.first { $0.id == id }
            return WatchedProvider(base: try #require(base), log: log)
        }

        /// The whole chain, made by hand, from taps to what the screen shows.
        func tap(_ id: ProviderID) async throws -> [Result<AuthSession, AuthError>] {
            let provider = try provider(id)
            let signIn = AuthSignIn(repository: repository, manager: manager)
            let (taps, tap) = AsyncStream<ProviderID>.makeStream()
            log.note(.tap)
            tap.yield(id)
            tap.finish()
            var results: [Result<AuthSession, AuthError>] = []
            let chain = taps.flatMapFirst { [log] _ in
                provider.authenticate().flatMap { credential in
                    log.note(.token)
                    return signIn(credential)
                }
            }
            for await result in chain {
                if case .failure(let error) = result { log.note(.message(error.code)) }
                results.append(result)
            }
            return results
        }
    }

    nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]

    @Test(arguments: providers) func theSixStepsOfASuccess(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let app = App(emulator)
            _ = try await app.manager.restored()
            let results = try await app.tap(provider)
            #expect(results.count == 1)
            let session = try #require(try results.first?.get())
            #expect(
                app.log.steps == [.tap, .authenticate, .result(.credential), .token, .repository, .server])
            #expect(app.manager.state == .signedIn(session.user, .verified))
        }
    }

    @Test(arguments: providers) func theStepsOfARefusal(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let app = App(emulator)
            _ = try await app.manager.restored()
            app.browser.answers = [.deny]
            app.apps.kakaoTalk = .deny
            app.apps.naver = .deny
            let results = try await app.tap(provider)
            #expect(results.count == 1)
            let code = try #require(results.first?.failure?.code)
            #expect(code == .accessDenied || code == .cancelled)
            #expect(app.log.steps == [.tap, .authenticate, .result(.failure), .message(code)])
            #expect(app.manager.state == .signedOut(nil))
        }
    }

    @Test(arguments: providers) func theStepsOfAServerThatFails(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let app = App(emulator)
            _ = try await app.manager.restored()
            emulator.inject(.status(503), at: "identitytoolkit.googleapis.com", .always)
            let results = try await app.tap(provider)
            #expect(results.first?.failure?.code == .server)
            // Tokens can be sent again; the codes of Apple and Naver work once.
            var steps: [PipelineStep] = [.tap, .authenticate, .result(.credential), .token]
            for _ in 0..<([.apple, .naver].contains(provider) ? 1 : 3) { steps += [.repository, .server] }
            #expect(app.log.steps == steps + [.message(.server)])
            #expect(app.manager.state == .signedOut(nil))
        }
    }

    @Test(arguments: providers) func theServiceRunsTheSameChain(provider id: ProviderID) async throws {
        try await withEmulator { emulator in
            let app = App(emulator)
            let auth = AuthService(
                repository: app.repository, providers: [try app.provider(id)], store: MemorySessionStore(),
                callbacks: app.callbacks)
            var events = auth.events.makeAsyncIterator()
            app.log.note(.tap)
            let user = try await auth.signIn(with: id).value.user
            #expect(app.log.steps == [.tap, .authenticate, .result(.credential), .repository, .server])
            #expect(auth.state == .signedIn(user, .verified))
            // The token's way to the use case is the step that begins the session.
            var steps: [AuthState.SignInStep] = []
            while let event = await events.next(), event.kind != .signInSucceeded {
                if let step = event.attempt?.step { steps.append(step) }
            }
            #expect(steps.first == .presenting)
            #expect(steps.last == .establishingSession)
        }
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension SessionManager {
    /// Reads the store, as a service does at its beginning.
    func restored() async throws -> AuthUser? { try await AuthStream { try await self.restore() }.value }
}
