import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The issuer's tokens as the session of the whole service.
@MainActor
@Suite(.limitedParallelization) struct OpenIDServiceTests {
    private let clock = ManualClock()

    private func service(
        at emulator: Emulator, store: any SessionStore, transport: any AuthHTTPTransport
    ) -> AuthService {
        let (callbacks, clock) = (CallbackRouter(), emulator.configuration.clock)
        let provider = OpenIDProvider(
            .keycloak(
                realm: "main", at: emulator.url(for: "https://id.pulseboard.example"),
                clientID: emulator.configuration.issuer.clientID, redirect: .loopback(path: "/callback/openid")),
            redeemer: .repository,
            userAgent: SystemBrowser(opener: ScriptedBrowser(transport: URLSessionTransport.untimed())),
            transport: transport, clock: clock)
        return AuthService(
            repository: OpenIDRepository(for: provider), providers: [provider], store: store, callbacks: callbacks,
            clock: clock)
    }

    /// RFC 9700 sections 2.2.2 and 4.14: the successor of a refresh token is stored before it is used. If it cannot be
    /// stored, nothing of the answer is handed out, and nothing more is sent.
    @Test func successorOfARefreshTokenIsStoredBeforeItIsUsed() async throws {
        let configuration = EmulatorConfiguration(clock: clock.authClock(startingAt: SignedTokens.now))
        try await withEmulator(configuration) { emulator in
            let store = FaultySessionStore()
            let (isFull, unstored) = (Lock(false), Lock(0))
            let network = URLSessionTransport.untimed()
            let transport = ScriptedTransport { request in
                let form = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
                if let token = form.first(where: { $0.name == "refresh_token" })?.value {
                    let record = String(decoding: try await store.read(.session).data ?? Data(), as: UTF8.self)
                    if !record.contains(token) { unstored.withLock { $0 += 1 } }
                    defer { if isFull.withLock({ $0 }) { store.fail(.write) } }
                    return try await network.send(request)
                }
                return try await network.send(request)
            }
            let auth = service(at: emulator, store: store, transport: transport)
            _ = try await auth.signIn(with: "keycloak").value
            let first = try await auth.accessToken()

            isFull.withLock { $0 = true }
            clock.advance(by: .seconds(301))
            let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
            #expect(error?.code == .storage)

            isFull.withLock { $0 = false }
            store.heal()
            let second = try await auth.accessToken()
            #expect(second != first && emulator.issuer.accepts(accessToken: second))
            #expect(transport.forms.filter { $0["grant_type"] == "refresh_token" }.count == 1)

            clock.advance(by: .seconds(301))
            let third = try await auth.accessToken()
            #expect(third != second && emulator.issuer.accepts(accessToken: third))
            #expect(unstored.withLock { $0 } == 0)
        }
    }

    /// All but the access token and the refresh token, by the sign-in and by a later launch. The issuer's answer says no scope.
    @Test func appReadsTheIssuersSession() async throws {
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["scope": .null]
        let store = MemorySessionStore()
        let auth = service(fixture, store)
        #expect(auth.session == nil)
        var credential = IssuerFixture.credential
        credential.authorizationCode?.scopes = ["openid", "calendar"]
        _ = try await auth.signIn(credential: credential).value
        let session = try #require(auth.session)
        #expect(session.user == auth.user && session.provider == "keycloak")
        #expect(session.scopes == ["openid", "calendar"])
        #expect(session.expiresAt == SignedTokens.now.addingTimeInterval(300))
        #expect(session.authenticatedAt == Date(timeIntervalSince1970: 1_799_999_990))
        #expect(session.idToken.flatMap { JSONWebToken($0)?.claims["sub"]?.string } == "1001")
        let restored = service(fixture, store)
        _ = await restored.states.prefix { $0.user != nil }
        #expect(restored.session == session)
        try await auth.signOut()
        #expect(auth.session == nil)
    }

    /// By the ID token, or by the user information alone (OpenID Connect Core section 5.4).
    @Test(arguments: [true, false]) func signInHasTheNameThatTheIssuerReturned(isInIDToken: Bool) async throws {
        let name: [String: AuthJSON] = ["given_name": "민지", "family_name": "김"]
        var fixture = IssuerFixture()
        if isInIDToken {
            fixture.first = name
        } else {
            fixture.userInfo = { try .json(.object(name.merging(["sub": "1001"]) { $1 })) }
        }
        let auth = service(fixture, MemorySessionStore())
        let signIn = try await auth.signIn(credential: IssuerFixture.credential).value
        #expect(signIn.name == PersonName(givenName: "민지", familyName: "김"))
    }

    /// A record of an earlier version of the library has no ID token. One of a later version may have further members.
    @Test func recordOfAnEarlierVersionGetsItsIDTokenByARefresh() async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["nonce": .null]) { $1 }
        let store = MemorySessionStore()
        var members = try await record(fixture)
        var session = try #require(members["session"]?.object)
        for name in ["idToken", "scopes", "savedAt"] { #expect(session.removeValue(forKey: name) != nil) }
        (session["laterMember"], members["laterMember"]) = (["a": 1], ["a": 1])
        members["session"] = .object(session)
        try await store.write(JSONEncoder().encode(AuthJSON.object(members)), for: .session)
        let auth = service(fixture, store)
        #expect(try await auth.accessToken(forceRefresh: true) == Secret("access-2"))
        let written = try #require(try await store.session()?.session)
        #expect(written.openID?.subject == "1001" && written.user.displayName == "Minji")
    }

    /// An update of the app configures another issuer under the same provider. Its API is given no token of the earlier one.
    @Test(arguments: [true, false]) func sessionOfAnotherIssuerEndsWithAReason(hasRefreshToken: Bool) async throws {
        let (fixture, store) = (IssuerFixture(), MemorySessionStore())
        var members = try await record(fixture)
        var session = try #require(members["session"]?.object)
        if !hasRefreshToken { session["refreshToken"] = nil }
        session["isSent"] = true
        var user = try #require(session["user"]?.object)
        user["claims"] = ["iss": "https://elsewhere.example"]
        session["user"] = .object(user)
        members["session"] = .object(session)
        try await store.write(JSONEncoder().encode(AuthJSON.object(members)), for: .session)
        let transport = fixture.transport
        let auth = service(fixture, store, transport)
        let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(error?.code == .notSignedIn && auth.state == .signedOut(.expired) && auth.session == nil)
        try await wait(for: "the record to be removed") { try await store.session() == nil }
        #expect(transport.requests.isEmpty)
    }

    @Test func recordOfALaterFormIsLeftAsItIs() async throws {
        let (fixture, store) = (IssuerFixture(), MemorySessionStore())
        let data = try JSONEncoder().encode(AuthJSON.object(try await record(fixture).merging(["version": 4]) { $1 }))
        try await store.write(data, for: .session)
        let transport = fixture.transport
        let auth = service(fixture, store, transport)
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        #expect(try await store.read(.session).data == data && transport.requests.isEmpty)
    }

    /// A factory makes the repository, which is reached by its type.
    @Test func repositoryOfAFactoryIsReached() throws {
        let configuration = OpenIDProvider.Configuration(
            "keycloak", issuer: IssuerFixture.issuer, clientID: "app", redirect: .loopback(path: "/callback"))
        let auth = AuthService(.openID(configuration), providers: [.openID(configuration)], platform: .isolated())
        let repository = try #require(auth.repository as? OpenIDRepository)
        #expect(repository.accepts("keycloak"))
    }

    /// The record of a session of the issuer, by the names of its members.
    private func record(_ fixture: IssuerFixture) async throws -> [String: AuthJSON] {
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        let stage = KeptSession.Stage(id: SessionID(rawValue: "1"))
        let record = SessionRecord(KeptSession(.established(session), at: stage, savedAt: SignedTokens.now))
        return try #require(AuthJSON(json: try JSONEncoder().encode(record))?.object)
    }

    private func service(
        _ fixture: IssuerFixture, _ store: MemorySessionStore, _ transport: ScriptedTransport? = nil
    ) -> AuthService {
        AuthService(
            repository: fixture.repository(transport), providers: [fixture.provider(transport ?? fixture.transport)],
            store: store, callbacks: CallbackRouter(), clock: SignedTokens.clock)
    }
}
