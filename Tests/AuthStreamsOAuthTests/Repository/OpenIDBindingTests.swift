import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Sessions whose tokens are bound to a key (RFC 9449).
@Suite(.enabled(if: Signatures.isAvailable)) struct OpenIDBindingTests {
    private func fixture(_ type: AuthJSON = "DPoP", store: any SessionStore = MemorySessionStore()) -> IssuerFixture {
        var fixture = IssuerFixture()
        fixture.store = store
        fixture.tokenMembers = ["token_type": type]
        return fixture
    }

    private func claims(_ request: AuthHTTPRequest?) -> AuthJSON? {
        request?.headers[.dpop].flatMap { JSONWebToken(Secret($0)) }?.claims
    }

    @Test(arguments: ["DPoP", "dpop"]) func tokensOfASignInAreBound(type: String) async throws {
        var fixture = fixture(.string(type))
        fixture.userInfo = { try .json(["sub": "1001"]) }
        let transport = fixture.transport
        let session = try await fixture.repository(transport).signIn(with: IssuerFixture.credential)
        let store = try #require(fixture.store)
        #expect(session.keyThumbprint == (try await DPoPKeys(in: store).current().thumbprint))
        let token = try #require(transport.requests.first { $0.url.path() == "/token" })
        #expect(claims(token)?["htu"] == "https://id.example/token" && claims(token)?["ath"] == nil)
        let user = try #require(transport.requests.last)
        #expect(user.url.path() == "/me" && user.headers[.authorization] == "DPoP access-1")
        #expect(claims(user)?["ath"] == .string(Base64URL.encode(SHA256.hash("access-1".utf8))))
    }

    /// A bearer token is never used in place of a bound one, and nothing keeps it.
    @Test(arguments: ["Bearer", .null] as [AuthJSON]) func bearerTokenIsRefused(type: AuthJSON) async {
        let fixture = fixture(type)
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        let error = await #expect(throws: AuthError.self) {
            try await repository.signIn(with: IssuerFixture.credential)
        }
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("dpop_bound_access_tokens") == true)
        #expect(transport.forms.last?["token"] == "refresh-1" && transport.requests.last?.url.path() == "/revoke")
    }

    @Test func boundTokenThatNobodyAskedForIsRefused() async {
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["token_type": "DPoP"]
        let repository = fixture.repository()
        let error = await #expect(throws: AuthError.self) {
            try await repository.signIn(with: IssuerFixture.credential)
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func refreshProvesTheSessionsKey() async throws {
        let fixture = fixture()
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        // Another process.
        let transport = fixture.transport
        let next = try await fixture.repository(transport).refresh(session)
        #expect(next.keyThumbprint == session.keyThumbprint && next.accessToken == Secret("access-2"))
        let request = try #require(transport.requests.last)
        let text = try #require(request.headers[.dpop])
        let proof = try #require(JSONWebToken(Secret(text)))
        let jwk = try #require(proof.header["jwk"]?.object)
        let key = JSONWebKey(members: jwk).publicKey
        #expect(key?.thumbprint == session.keyThumbprint)
    }

    /// The refresh token may be used up, and nothing keeps the tokens of the answer.
    @Test func refreshThatBringsABearerTokenEndsTheSession() async throws {
        let store = MemorySessionStore()
        let session = try await fixture(store: store).repository().signIn(with: IssuerFixture.credential)
        let transport = fixture("Bearer", store: store).transport
        let repository = fixture("Bearer", store: store).repository(transport)
        let error = await #expect(throws: AuthError.self) { try await repository.refresh(session) }
        #expect(error?.code == .sessionExpired && error?.classification.sessionEnd == .expired)
        #expect(error?.explanation.contains("dpop_bound_access_tokens") == true)
        #expect(transport.forms.last?["token"] == "refresh-2" && transport.requests.last?.url.path() == "/revoke")
    }

    /// An update of the app binds tokens. Sessions of before stay, and are bound as soon as the issuer does so.
    @Test(arguments: ["Bearer", "DPoP"]) func sessionOfBeforeStays(type: String) async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        #expect(session.keyThumbprint == nil)
        let warnings = Lock([AuthError.Code]())
        let fixture = fixture(.string(type))
        let next = try await fixture.repository().refresh(session) { error in
            warnings.withLock { $0.append(error.code) }
        }
        #expect(next.accessToken == Secret("access-2") && (next.keyThumbprint == nil) == (type == "Bearer"))
        #expect(warnings.withLock { $0 } == (type == "Bearer" ? [.invalidResponse] : []))
    }

    /// The other SDK's refresh token is used up by then.
    @Test(arguments: ["Bearer", "DPoP"]) func adoptedSessionStays(type: String) async throws {
        let adoptable = AdoptableSession(
            refreshToken: Secret("left"), user: AuthUser(id: "1001", claims: ["iss": .string(IssuerFixture.issuer)]))
        let warnings = Lock([AuthError.Code]())
        let session = try await fixture(.string(type)).repository().adopt(adoptable) { error in
            warnings.withLock { $0.append(error.code) }
        }
        #expect(session.refreshToken == Secret("refresh-2") && (session.keyThumbprint == nil) == (type == "Bearer"))
        #expect(warnings.withLock { $0 } == (type == "Bearer" ? [.invalidResponse] : []))
    }

    /// A session that is not bound needs no key, and is not lost for want of one.
    @Test(arguments: [MissingKey.newerForm, .noStore, .noAlgorithm]) func sessionOfBeforeNeedsNoKey(
        reason: MissingKey
    ) async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        var fixture = fixture("Bearer")
        if reason == .noAlgorithm { fixture.metadata = ["dpop_signing_alg_values_supported": ["RS256"]] }
        if reason == .newerForm {
            let (store, record) = (try #require(fixture.store), Data(#"{"version":2}"#.utf8))
            _ = try await store.write(record, for: .dpopKey, replacing: try await store.read(.dpopKey).version)
        }
        let transport = fixture.transport
        var client = fixture.provider(transport).client
        if reason == .noStore { client.dpop = DPoP(DPoPKeys(in: nil), clock: fixture.clock) }
        let provider = OpenIDProvider(
            client, redirect: .redirect(URL(literal: "com.example.app:/callback")), options: .init(),
            redeemer: .repository, userAgent: ScriptedAgent { _, _ in throw AuthError.cancelled })
        let warnings = Lock([AuthError.Code]())
        let next = try await OpenIDRepository(for: provider).refresh(session) { error in
            warnings.withLock { $0.append(error.code) }
        }
        #expect(next.accessToken == Secret("access-2") && next.keyThumbprint == nil)
        #expect(transport.requests.last?.headers[.dpop] == nil)
        #expect(warnings.withLock { $0 } == [reason == .newerForm ? .storage : .misconfigured])
    }

    enum MissingKey { case newerForm, noStore, noAlgorithm }

    /// It can be bound as soon as the store can be read.
    @Test(arguments: [AuthError.Code.storageLocked, .storage]) func sessionOfBeforeWaitsForTheStore(
        code: AuthError.Code
    ) async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        let store = FaultySessionStore()
        store.fail(.read, of: .dpopKey, with: AuthError(code, "The test's failure."))
        let fixture = fixture(store: store)
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.repository(transport).refresh(session) }
        #expect(error?.code == code && !transport.requests.contains { $0.url.path() == "/token" })
    }

    /// A provider that was made by hand, with another configuration or another store than the repository.
    @Test(arguments: [true, false]) func tokensOfAnotherProvidersKeyAreRefused(usesDPoP: Bool) async throws {
        let store = MemorySessionStore()
        let thumbprint = try await DPoPKeys(in: store).current().thumbprint
        var credential = Credential(
            provider: "keycloak",
            idToken: Secret(try SignedTokens.token(SignedTokens.claims(IssuerFixture.firstToken))),
            rawNonce: Secret("raw-nonce"), accessToken: Secret("access-1"))
        credential.issuedTokens = .init(
            refreshToken: Secret("refresh-1"), scopes: ["openid"], members: ["token_type": "DPoP"], date: nil,
            keyThumbprint: thumbprint)
        var fixture = IssuerFixture()
        if usesDPoP { fixture.store = MemorySessionStore() }
        let transport = fixture.transport
        let (repository, issued) = (fixture.repository(transport), credential)
        let error = await #expect(throws: AuthError.self) { try await repository.signIn(with: issued) }
        #expect(error?.code == .misconfigured && error?.classification.sessionEnd == nil)
        #expect(error?.explanation.contains(usesDPoP ? "the same `store`" : "set `usesDPoP` for both") == true)
        #expect(transport.forms.last?["token"] == "refresh-1" && transport.requests.last?.url.path() == "/revoke")
        // The store of the provider.
        fixture.store = store
        #expect(try await fixture.repository().signIn(with: issued).keyThumbprint == thumbprint)
    }

    /// The closure has no proof to send.
    @Test func boundTokenIsNotGivenToTheAPIForDeletion() async throws {
        let fixture = fixture()
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        let transport = fixture.transport
        let repository = fixture.repository(transport, deletion: { _ in Issue.record("Nothing is sent.") })
        let error = await #expect(throws: AuthError.self) { try await repository.deleteAccount(session) }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    @Test func boundSessionIsOverWhereTokensAreNotBoundAnyMore() async throws {
        let session = try await fixture().repository().signIn(with: IssuerFixture.credential)
        let transport = IssuerFixture().transport
        let repository = IssuerFixture().repository(transport)
        #expect(!repository.owns(session))
        let error = await #expect(throws: AuthError.self) { try await repository.refresh(session) }
        #expect(error?.code == .sessionExpired && transport.requests.isEmpty)
    }

    @Test func refreshWithoutTheKeyEndsTheSessionWithoutARequest() async throws {
        let session = try await fixture().repository().signIn(with: IssuerFixture.credential)
        let fixture = fixture()
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.repository(transport).refresh(session) }
        #expect(error?.classification.sessionEnd == .keyLost)
        #expect(!transport.requests.contains { $0.url.path() == "/token" })
    }

    @Test func demandForANonceIsNoRefusalOfTheRefreshToken() async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        var fixture = fixture()
        fixture.refusal = .text(
            #"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["dpop-nonce": "n"])
        let repository = fixture.repository()
        let error = await #expect(throws: AuthError.self) { try await repository.refresh(session) }
        #expect(error?.code == .invalidCredential && error?.classification.sessionEnd == nil)
    }

    /// Another process may use the refresh token by then.
    @Test func refreshTokenIsNotSentAgainWithoutTheLock() async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        var fixture = fixture()
        fixture.refusal = .text(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["dpop-nonce": "n"])
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        let lock = SessionStoreLock(isHeld: { false }, release: {})
        let error = await #expect(throws: AuthError.self) {
            try await repository.refresh(session, holding: lock, onWarning: { _ in })
        }
        #expect(error?.code == .storage && error?.classification.isOutcomeUnknown == false)
        #expect(transport.requests.count { $0.url.path() == "/token" } == 1)
    }

    /// The response to pushed parameters, and to a revocation, brings the nonce for the next proof, too (section 8.2).
    @MainActor @Test func nonceOfAnyResponseIsUsed() async throws {
        var fixture = fixture()
        fixture.metadata = ["pushed_authorization_request_endpoint": "https://id.example/par"]
        let base = fixture.transport
        let transport = ScriptedTransport { request in
            guard request.url.path() == "/par" else { return try await base.send(request) }
            var response = try AuthHTTPResponse.json(["request_uri": "urn:1", "expires_in": 60], status: 201)
            response.headers["dpop-nonce"] = "n-1"
            return response
        }
        let provider = fixture.provider(transport, agent: ScriptedAgent { _, _ in throw AuthError.cancelled })
        await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(transport.forms.last?["dpop_jkt"] != nil && transport.requests.last?.headers[.dpop] == nil)
        _ = try await OpenIDRepository(for: provider).signIn(with: IssuerFixture.credential)
        #expect(claims(transport.requests.last { $0.url.path() == "/token" })?["nonce"] == "n-1")
    }

    /// RFC 7009 asks for no proof.
    @Test func revocationProvesNothing() async throws {
        let fixture = fixture()
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        try await repository.signOut(try await repository.signIn(with: IssuerFixture.credential))
        let request = try #require(transport.requests.last)
        #expect(request.url.path() == "/revoke" && request.headers[.dpop] == nil)
    }

    // MARK: Before the page

    private func attempt(_ fixture: IssuerFixture) async -> AuthError? {
        let provider = fixture.provider(fixture.transport)
        do throws(AuthError) { _ = try await provider.authenticate().value } catch { return error }
        return nil
    }

    @MainActor @Test func pageNamesTheKey() async throws {
        let store = MemorySessionStore()
        let agent = ScriptedAgent { callback($1, ["code": "code", "state": $0["state"] ?? ""]) }
        let fixture = fixture(store: store)
        _ = try await fixture.provider(fixture.transport, agent: agent).authenticate().value
        #expect(agent.pages.first?["dpop_jkt"] == (try await DPoPKeys(in: store).current().thumbprint))
    }

    @Test func issuerWithoutTheAlgorithmIsAnErrorOfTheConfiguration() async {
        var fixture = fixture()
        fixture.metadata = ["dpop_signing_alg_values_supported": ["RS256", "ES384"]]
        let error = await attempt(fixture)
        #expect(error?.code == .misconfigured && error?.explanation.contains("RS256, ES384") == true)
        fixture.metadata = ["dpop_signing_alg_values_supported": ["RS256", "ES256"]]
        #expect(await attempt(fixture) == nil)
    }

    @Test func serversOfTheAppGetNoBoundTokens() async {
        let fixture = fixture()
        let provider = fixture.provider(fixture.transport, redeemer: .app)
        let error = await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(error?.code == .misconfigured && error?.explanation.contains("OpenIDRepository") == true)
    }

    @Test func lockedStoreOpensNoPage() async {
        let store = FaultySessionStore()
        store.lock()
        #expect(await attempt(fixture(store: store))?.code == .storageLocked)
    }
}
