import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// Sessions whose tokens are bound to a key, at an issuer that checks each proof (RFC 9449).
@MainActor
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable)) struct BoundSessionTests {
    private let clock = ManualClock()

    private func configuration(
        nonces: Bool = false, _ change: (inout EmulatorConfiguration.Issuer) -> Void = { _ in }
    ) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        (configuration.issuer.dpop, configuration.issuer.demandsDPoPNonces) = (.required, nonces)
        change(&configuration.issuer)
        return configuration
    }

    /// One process of the app.
    private func service(
        at emulator: Emulator, store: any SessionStore, usesDPoP: Bool = true, sinks: [AuthEventSink] = [],
        transport: (any AuthHTTPTransport)? = nil, clock: AuthClock? = nil
    ) -> AuthService {
        let transport =
            transport ?? EmulatorTransport(to: emulator, clock: ManualClock().authClock(startingAt: .distantPast))
        var issuer = OpenIDProvider.Configuration(
            "issuer", issuer: emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString,
            clientID: emulator.configuration.issuer.clientID,
            redirect: .redirect(URL(literal: "com.example.pulseboard:/callback")))
        issuer.usesDPoP = usesDPoP
        let callbacks = Lock<CallbackRouter?>(nil)
        let browser = ScriptedBrowser(transport: transport) { url in callbacks.withLock { $0 }?.handle(url) ?? false }
        let platform = AuthPlatform(
            store: store, opener: browser, redirect: .appURL, transport: transport,
            clock: clock ?? emulator.configuration.clock, refreshPolicy: .onDemand
        ) { SystemBrowser(opener: $0.opener, callbacks: $0.callbacks, grace: .zero) }
        callbacks.withLock { $0 = platform.callbacks }
        return AuthService(
            .openID(issuer), providers: [.openID(issuer)], platform: platform, sinks: sinks,
            api: APIAccess(to: [emulator.baseURL]))
    }

    /// The issuer's user information, in the place of an API of the app.
    private func api(_ emulator: Emulator) -> AuthHTTPRequest {
        AuthHTTPRequest(
            .get, emulator.url(for: "\(EmulatorConfiguration.Issuer.identifier)/protocol/openid-connect/userinfo?x=1"))
    }

    /// The thumbprint of the key that the stored session is bound to.
    private func keyThumbprint(in store: any SessionStore) async throws -> String? {
        try #require(RecordSnapshot(try await store.read(.session)).session?.session).keyThumbprint
    }

    private func signedOut(_ auth: AuthService) async -> SignOutReason? {
        let last = await auth.states.prefix { if case .signedOut = $0 { true } else { false } }.last
        return if case .signedOut(let reason)? = last { reason } else { nil }
    }

    private func removeKey(from store: any SessionStore) async throws {
        let version = try await store.read(.dpopKey).version
        #expect(try await store.write(nil, for: .dpopKey, replacing: version) != nil)
    }

    @Test(arguments: [false, true], EmulatorConfiguration.Issuer.PushedRequests.both)
    func sessionLastsAcrossRefreshesAndRestarts(
        nonces: Bool, pushed: EmulatorConfiguration.Issuer.PushedRequests
    ) async throws {
        try await withEmulator(configuration(nonces: nonces) { $0.pushedRequests = pushed }) { emulator in
            let store = MemorySessionStore()
            let first = service(at: emulator, store: store)
            let user = try await first.signIn(with: "issuer").value.user
            #expect(user.displayName == IssuerClient.user.name)
            let thumbprint = try #require(try await keyThumbprint(in: store))
            let token = try await first.accessToken()
            #expect(try await first.data(for: api(emulator)).status == 200)

            clock.advance(by: .seconds(301))
            emulator.issuer.rotateDPoPNonce()
            let second = service(at: emulator, store: store)
            #expect(try await second.data(for: api(emulator)).status == 200)
            #expect(try await keyThumbprint(in: store) == thumbprint)
            #expect(try await second.accessToken() != token)

            emulator.issuer.rotateDPoPNonce()
            clock.advance(by: .seconds(301))
            #expect(try await second.data(for: api(emulator)).status == 200)
            #expect(try await second.reload().value.id == user.id)
            try await second.signOut()
        }
    }

    /// Each demand costs one more request, and no code or refresh token.
    @Test func nonceIsDemandedOnce() async throws {
        try await withEmulator(configuration(nonces: true)) { emulator in
            let auth = service(at: emulator, store: MemorySessionStore())
            _ = try await auth.signIn(with: "issuer").value
            #expect(emulator.journal.entries.filter { $0.path.hasSuffix("/token") }.map(\.status) == [400, 200])
            clock.advance(by: .seconds(301))
            emulator.issuer.rotateDPoPNonce()
            _ = try await auth.accessToken()
            #expect(
                emulator.journal.entries.filter { $0.path.hasSuffix("/token") }.map(\.status) == [400, 200, 400, 200])
            _ = try await auth.accessToken(forceRefresh: true)
            #expect(emulator.journal.entries.last { $0.path.hasSuffix("/token") }?.status == 200)
        }
    }

    /// The first call with an expired token refreshes it; one that the API refuses does, too.
    @Test func refusedAccessTokenIsRefreshedOnce() async throws {
        try await withEmulator(configuration(nonces: true)) { emulator in
            let auth = service(at: emulator, store: MemorySessionStore())
            _ = try await auth.signIn(with: "issuer").value
            emulator.inject(.error("invalid_token"), at: .issuerUserInfo)
            #expect(try await auth.data(for: api(emulator)).status == 200)
            #expect(emulator.count(of: .issuerUserInfo) == 3, "The sign-in, the refusal, and the repetition.")
        }
    }

    // MARK: The key

    /// A device that was restored: the session came with the backup, and the key did not.
    @Test func keyThatIsLostAtTheLaunchEndsTheSession() async throws {
        try await withEmulator(configuration()) { emulator in
            let store = MemorySessionStore()
            _ = try await service(at: emulator, store: store).signIn(with: "issuer").value
            try await removeKey(from: store)
            let count = emulator.journal.entries.count
            let auth = service(at: emulator, store: store)
            #expect(await signedOut(auth) == .keyLost)
            #expect(emulator.journal.entries.count == count, "The session ends here alone.")
            await #expect(throws: AuthError.self) { try await auth.accessToken() }
            // The next launch finds no session, and the next sign-in makes a key.
            #expect(await signedOut(service(at: emulator, store: store)) == nil)
            _ = try await auth.signIn(with: "issuer").value
            #expect(try await auth.data(for: api(emulator)).status == 200)
        }
    }

    /// The store tells 'cannot read' from 'empty'.
    @Test func keyThatCannotBeReadEndsNothing() async throws {
        try await withEmulator(configuration()) { emulator in
            let store = FaultySessionStore()
            _ = try await service(at: emulator, store: store).signIn(with: "issuer").value
            clock.advance(by: .seconds(301))
            let locked = AuthError(.storageLocked, "The test locked it.")
            store.fail(.read, of: .dpopKey, with: locked)
            let auth = service(at: emulator, store: store)
            let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
            #expect(error?.code == .storageLocked && auth.user != nil)
            await #expect(throws: AuthError.self) { try await auth.data(for: api(emulator)) }
            #expect(auth.user != nil)
            store.heal()
            _ = try await auth.accessToken()
            #expect(try await auth.data(for: api(emulator)).status == 200)
        }
    }

    /// Two processes sign in at the same time, and use one key.
    @Test func processesThatSignInAtOnceLoseNoSession() async throws {
        try await withEmulator(configuration()) { emulator in
            let store = FaultySessionStore()
            let hold = store.hold(.write, of: .dpopKey)
            let (first, second) = (service(at: emulator, store: store), service(at: emulator, store: store))
            async let user = first.signIn(with: "issuer").value.user
            await hold.reached()
            _ = try await second.signIn(with: "issuer").value
            hold.release()
            _ = try await user
            let third = service(at: emulator, store: store)
            clock.advance(by: .seconds(301))
            #expect(try await third.data(for: api(emulator)).status == 200)
        }
    }

    // MARK: The issuer

    @Test func issuerThatDoesNotBindIsRefused() async throws {
        try await withEmulator(configuration { $0.dpop = .unsupported }) { emulator in
            let auth = service(at: emulator, store: MemorySessionStore())
            let error = await #expect(throws: AuthError.self) { try await auth.signIn(with: "issuer").value }
            #expect(error?.code == .misconfigured && auth.user == nil)
            #expect(emulator.journal.entries.last?.path.hasSuffix("/revoke") == true)
        }
    }

    @Test func bearerSessionStaysAtAnIssuerThatBindsToo() async throws {
        try await withEmulator(configuration { $0.dpop = .supported }) { emulator in
            let store = MemorySessionStore()
            let auth = service(at: emulator, store: store, usesDPoP: false)
            _ = try await auth.signIn(with: "issuer").value
            #expect(try await keyThumbprint(in: store) == nil)
            #expect(try await store.read(.dpopKey).data == nil)
            // The update of the app binds the session at its next refresh.
            clock.advance(by: .seconds(301))
            let updated = service(at: emulator, store: store)
            #expect(try await updated.data(for: api(emulator)).status == 200)
            #expect(try await keyThumbprint(in: store) != nil)
        }
    }

    /// A body that sends the token itself would send it without its proof.
    @Test func boundTokenIsNotHandedToABody() async throws {
        try await withEmulator(configuration()) { emulator in
            let auth = service(at: emulator, store: MemorySessionStore())
            _ = try await auth.signIn(with: "issuer").value
            let error = await #expect(throws: AuthError.self) { try await auth.withAccessToken { _ in } }
            #expect(error?.code == .misconfigured && error?.explanation.contains("data(for:)") == true)
        }
    }

    @Test(arguments: [(.unsupported, nil), (.required, ["ES256"])] as [(EmulatorConfiguration.Issuer.DPoP, [String]?)])
    func metadataNameTheAlgorithms(dpop: EmulatorConfiguration.Issuer.DPoP, algorithms: [String]?) async throws {
        try await withEmulator(configuration { $0.dpop = dpop }) { emulator in
            let client = OAuthClient(
                "issuer", issuer: emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString,
                clientID: emulator.configuration.issuer.clientID,
                transport: EmulatorTransport(to: emulator, clock: ManualClock().authClock(startingAt: .distantPast)))
            let metadata = try await client.metadata()
            #expect(metadata.dpopSigningAlgorithms == algorithms)
        }
    }

    /// A device whose clock was never set: the first demand for a nonce says the issuer's time.
    @Test func deviceWithAWrongClockSignsIn() async throws {
        try await withEmulator(configuration(nonces: true)) { emulator in
            let auth = service(
                at: emulator, store: MemorySessionStore(),
                clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
            _ = try await auth.signIn(with: "issuer").value
            #expect(try await auth.data(for: api(emulator)).status == 200)
        }
    }
}

extension EmulatorConfiguration.Issuer.PushedRequests {
    fileprivate static let both = [Self.unsupported, .required]
}
