import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The whole service with an issuer and no server: the issuer's tokens are the session.
@MainActor
@Suite(.limitedParallelization) struct OpenIDSessionTests {
    private let clock = ManualClock()

    private struct App {
        let auth: AuthService
        let repository: OpenIDRepository
        let agent: any UserAgent
        /// The ID-token hint of each attempt.
        let hints: Lock<[Secret?]>
    }

    private func app(at emulator: Emulator, store: MemorySessionStore) -> App {
        let (callbacks, transport) = (CallbackRouter(), URLSessionTransport.untimed())
        let clock = emulator.configuration.clock
        let agent = SystemBrowser(
            opener: ScriptedBrowser(transport: transport) { callbacks.handle($0) }, callbacks: callbacks)
        let provider = OpenIDProvider(
            .keycloak(
                realm: "main", at: emulator.url(for: "https://id.pulseboard.example"),
                clientID: emulator.configuration.issuer.clientID, redirect: .loopback(path: "/callback/openid")),
            redeemer: .repository, userAgent: agent, transport: transport, clock: clock)
        let repository = OpenIDRepository(for: provider)
        let hints = Lock<[Secret?]>([])
        let witness = ScriptedProvider(provider.id, methodKinds: provider.methodKinds) { request in
            hints.withLock { $0.append(request.idTokenHint) }
            return try await provider.authenticate(request).value
        }
        return App(
            auth: AuthService(
                repository: repository, providers: [witness], store: store, callbacks: callbacks, clock: clock,
                // The test alone asks for a refresh, at the time that it says.
                refreshPolicy: .onDemand),
            repository: repository, agent: agent, hints: hints)
    }

    private var configuration: EmulatorConfiguration {
        EmulatorConfiguration(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000)))
    }

    @Test func sessionLastsAcrossRefreshesAndRestarts() async throws {
        try await withEmulator(configuration) { emulator in
            let store = MemorySessionStore()
            let first = app(at: emulator, store: store)
            let user = try await first.auth.signIn(with: "keycloak").value.user
            #expect(user.email == "minji@pulseboard.example" && user.displayName == "Minji Kim")
            let token = try await first.auth.accessToken()
            #expect(emulator.issuer.accepts(accessToken: token))

            // The second start finds the session expired, and refreshes it.
            clock.advance(by: .seconds(301))
            #expect(!emulator.issuer.accepts(accessToken: token))
            let second = app(at: emulator, store: store)
            let next = try await second.auth.accessToken()
            #expect(emulator.issuer.accepts(accessToken: next))
            #expect(second.auth.user?.id == user.id)

            _ = try await second.auth.reauthenticate().value
            let hint = try #require(second.hints.withLock { $0 }.last ?? nil)
            #expect(JSONWebToken(hint)?.claims["sub"] == .string(user.id))

            let last = try await second.auth.accessToken()
            #expect(emulator.issuer.accepts(accessToken: last))
            try await second.auth.signOut()
            #expect(!emulator.issuer.accepts(accessToken: last))
            try await second.repository.endSession(redirect: .loopback(path: "/goodbye"), userAgent: second.agent).value
            #expect(emulator.journal.entries.last?.path.hasSuffix("/logout") == true)
            #expect(emulator.journal.entries.last?.status == 303)
        }
    }

    @Test func sessionThatTheIssuerEndsIsOver() async throws {
        try await withEmulator(configuration) { emulator in
            let app = app(at: emulator, store: MemorySessionStore())
            let user = try await app.auth.signIn(with: "keycloak").value.user
            emulator.issuer.revokeSessions(of: user.id)
            clock.advance(by: .seconds(301))
            let error = await #expect(throws: AuthError.self) { try await app.auth.accessToken() }
            #expect(error?.code == .sessionExpired)
            #expect(app.auth.state == .signedOut(.expired))
        }
    }

    /// A refresh whose answer is lost is sent once more; the issuer takes the second use for theft.
    @Test func lostAnswerOfARefreshEndsTheFamily() async throws {
        try await withEmulator(configuration) { emulator in
            let app = app(at: emulator, store: MemorySessionStore())
            _ = try await app.auth.signIn(with: "keycloak").value
            emulator.inject(.dropConnection, at: .issuerToken)
            clock.advance(by: .seconds(301))
            await #expect(throws: AuthError.self) { try await app.auth.accessToken() }
            await #expect(throws: AuthError.self) { try await app.auth.accessToken() }
            #expect(app.auth.state == .signedOut(.refreshInterrupted))
        }
    }
}
