import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import Testing

@testable import AuthStreamsOAuth

/// Proofs of a key, and the nonces in them (RFC 9449 sections 4, 8 and 9).
@Suite(.enabled(if: Signatures.isAvailable)) struct DPoPTests {
    private let dpop = DPoP(DPoPKeys(in: MemorySessionStore()), clock: SignedTokens.clock)

    private func request(_ url: StaticString = "https://as.example/token") -> AuthHTTPRequest {
        AuthHTTPRequest(.post, URL(literal: url), body: Data("grant".utf8))
    }

    /// The claims of the proof in each request.
    private func claims(_ transport: ScriptedTransport) throws -> [AuthJSON] {
        try transport.requests.map { request in
            let proof = try #require(request.headers[.dpop])
            return try #require(JSONWebToken(Secret(proof))).claims
        }
    }

    private func answer(_ nonce: String?, status: Int = 200, error: String? = nil) throws -> AuthHTTPResponse {
        var response = try AuthHTTPResponse.json(error.map { ["error": .string($0)] } ?? [:], status: status)
        response.headers["dpop-nonce"] = nonce
        return response
    }

    // MARK: The proof

    @Test func proofSaysWhatTheStandardRequires() async throws {
        let key = try await dpop.keys.current()
        let transport = ScriptedTransport { _ in .text("") }
        _ = try await dpop.send(request(), proving: key, over: transport)
        let text = try #require(transport.requests.first?.headers[.dpop])
        let token = try #require(JSONWebToken(Secret(text)))
        #expect(token.header["typ"] == "dpop+jwt" && token.header["alg"] == "ES256")
        let jwk = try #require(token.header["jwk"]?.object)
        #expect(Set(jwk.keys) == ["kty", "crv", "x", "y"], "The key's private half stays here.")
        #expect(JSONWebKey(members: jwk).publicKey == key.publicKey)
        #expect(token.claims["htm"] == "POST" && token.claims["htu"] == "https://as.example/token")
        #expect(token.claims["iat"] == 1_800_000_000)
        #expect(token.claims["ath"] == nil && token.claims["nonce"] == nil)
        // At least 96 random bits (section 4.2).
        #expect(Base64URL.decode(try #require(token.claims["jti"]?.string))?.count == 16)
        let (dot, input) = (try #require(text.lastIndex(of: ".")), text.prefix { _ in true })
        let signature = try #require(Base64URL.decode(String(text[text.index(after: dot)...])))
        #expect(
            try Signatures.verify(signature, of: Data(input[..<dot].utf8), algorithm: .es256, key: key.publicKey))
    }

    /// RFC 9449 section 7.1 prints both.
    @Test func accessTokenIsNamedByItsHash() async throws {
        let transport = ScriptedTransport { _ in .text("") }
        _ = try await dpop.send(
            request(), proving: try await dpop.keys.current(),
            for: Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"), over: transport)
        #expect(try claims(transport).first?["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    }

    @Test func noProofIsSentTwice() async throws {
        let key = try await dpop.keys.current()
        let transport = ScriptedTransport { [self] _ in try answer("n", status: 400, error: "use_dpop_nonce") }
        for _ in 0..<3 {
            await #expect(throws: AuthError.self) {
                try await dpop.send(request(), proving: key, over: transport)
            }
        }
        #expect(transport.requests.count == 6)
        #expect(Set(transport.requests.map { $0.headers[.dpop] }).count == 6)
        #expect(Set(try claims(transport).map { $0["jti"] }).count == 6)
    }

    /// Section 4.2. The path is that of the request.
    @Test(
        arguments: [
            ("https://as.example/token?a=b#c", "https://as.example/token"),
            ("HTTPS://AS.Example:443/Token", "https://as.example/Token"),
            ("https://as.example:8443/t", "https://as.example:8443/t"), ("http://127.0.0.1:80", "http://127.0.0.1/"),
            ("https://as.example", "https://as.example/"), ("https://as.example?x=1", "https://as.example/"),
            ("https://me@as.example/t", "https://as.example/t"), ("https://[::1]:9/t", "https://[::1]:9/t"),
            ("https://as.example/%7Ea/%2fb/%e4", "https://as.example/%7Ea/%2fb/%e4"),
            ("https://as.example//a/b/", "https://as.example//a/b/"),
            ("https://as.example/a;v=1,2:@!$&'()*+", "https://as.example/a;v=1,2:@!$&'()*+"),
        ])
    func targetIsTheURLWithoutQuery(url: String, target: String) throws {
        #expect(DPoPProof.target(of: try #require(URL(string: url))) == target)
    }

    // MARK: The clock

    /// The header field for a server whose clock is that many seconds ahead.
    private func date(_ offset: TimeInterval) -> String {
        LoopbackDate.string(secondsSince1970: 1_800_000_000 + Int(offset))
    }

    /// The seconds from the device's clock to `iat` of each proof, for responses with these dates and ages.
    private func times(after responses: (offset: TimeInterval?, age: String?)...) async throws -> [Int64?] {
        let rest = Lock(responses[...])
        let transport = ScriptedTransport { [self] _ in
            var response = AuthHTTPResponse(status: 400)
            let (offset, age) = rest.withLock { $0.popFirst() } ?? (nil, nil)
            response.headers[.date] = offset.map { date($0) }
            response.headers["age"] = age
            return response
        }
        let key = try await dpop.keys.current()
        for _ in 0...responses.count { _ = try await dpop.send(request(), proving: key, over: transport) }
        return try claims(transport).map { $0["iat"]?.lenientInteger.map { Int64($0) - 1_800_000_000 } }
    }

    /// A server refuses proofs of another time. Its refusal says the time, so that the next attempt succeeds.
    @Test func proofIsOfTheServersTime() async throws {
        #expect(try await times(after: (3_600, nil), (nil, nil), (-86_400, nil)) == [0, 3_600, 3_600, -86_400])
    }

    /// A right clock stays, also where the answer took its time.
    @Test func deviceThatIsRightKeepsItsTime() async throws {
        #expect(try await times(after: (-10, nil), (10, nil)) == [0, 0, 0])
        #expect(try await times(after: (600, nil), (0, nil)) == [0, 600, 0])
    }

    /// RFC 9111 section 5.1.
    @Test func dateOfACacheSaysNothing() async throws {
        #expect(try await times(after: (-3_600, "3600")) == [0, 0])
    }

    @Test func eachServerHasItsOwnTime() async throws {
        let transport = ScriptedTransport { [self] request in
            var response = AuthHTTPResponse(status: 200)
            if request.url.host() == "as.example" {
                response.headers[.date] = date(600)
            }
            return response
        }
        let key = try await dpop.keys.current()
        for url: StaticString in ["https://as.example/token", "https://as.example/token", "https://api.example/"] {
            _ = try await dpop.send(request(url), proving: key, over: transport)
        }
        #expect(try claims(transport).map { $0["iat"] } == [1_800_000_000, 1_800_000_600, 1_800_000_000])
    }

    // MARK: Nonces

    @Test func demandedNonceIsUsedOnce() async throws {
        let transport = ScriptedTransport { [self] request in
            let proof = JSONWebToken(Secret(request.headers[.dpop] ?? ""))
            return proof?.claims["nonce"] == "n-1"
                ? try answer(nil) : try answer("n-1", status: 400, error: "use_dpop_nonce")
        }
        let response = try await dpop.send(request(), proving: try await dpop.keys.current(), over: transport)
        #expect(response.status == 200)
        #expect(try claims(transport).map { $0["nonce"] } == [nil, "n-1"])
        #expect(transport.requests.map(\.body) == [Data("grant".utf8), Data("grant".utf8)])
        // The next request has it from the beginning.
        _ = try await dpop.send(request(), proving: try await dpop.keys.current(), over: transport)
        #expect(try claims(transport).map { $0["nonce"] } == [nil, "n-1", "n-1"])
    }

    @Test func secondDemandIsAnError() async throws {
        let transport = ScriptedTransport { [self] _ in try answer("n", status: 400, error: "use_dpop_nonce") }
        let key = try await dpop.keys.current()
        let error = await #expect(throws: AuthError.self) {
            try await dpop.send(request(), proving: key, over: transport)
        }
        #expect(error?.code == .invalidCredential && error?.serverCode == "use_dpop_nonce")
        #expect(error?.classification.isOutcomeUnknown == false, "The server did nothing.")
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [nil, "", "a\"b"]) func demandWithoutANonceIsNotRepeated(nonce: String?) async throws {
        let transport = ScriptedTransport { [self] _ in try answer(nonce, status: 400, error: "use_dpop_nonce") }
        let key = try await dpop.keys.current()
        await #expect(throws: AuthError.self) { try await dpop.send(request(), proving: key, over: transport) }
        #expect(transport.requests.count == 1)
    }

    /// Section 9. The field may have challenges of other schemes.
    @Test(
        arguments: [
            (#"DPoP error="use_dpop_nonce", error_description="Resource server requires nonce""#, 2),
            (#"Bearer realm="a, b", DPoP algs="ES256", error="use_dpop_nonce""#, 2),
            (#"dpop error=use_dpop_nonce"#, 2), (#"Bearer error="use_dpop_nonce""#, 1),
            (#"DPoP error="invalid_token""#, 1), ("DPoP", 1),
        ])
    func resourceDemandsANonceByItsChallenge(field: String, count: Int) async throws {
        let transport = ScriptedTransport { request in
            guard JSONWebToken(Secret(request.headers[.dpop] ?? ""))?.claims["nonce"] == nil else { return .text("") }
            return .text("", status: 401, headers: ["www-authenticate": field, "dpop-nonce": "n"])
        }
        let response = try await dpop.send(
            request(), proving: try await dpop.keys.current(), for: Secret("access"), over: transport)
        #expect(transport.requests.count == count && response.status == (count == 2 ? 200 : 401))
    }

    /// Section 8.2: a success brings the next nonce, too.
    @Test func newestNonceOfEachServerIsKept() async throws {
        let nonces = Lock(["a-1", "b-1", "a-2", "a-3"])
        let transport = ScriptedTransport { [self] _ in try answer(nonces.withLock { $0.removeFirst() }) }
        let key = try await dpop.keys.current()
        for url in ["https://a.example/1", "https://b.example", "https://a.example/2", "https://a.example/3"] {
            let request = AuthHTTPRequest(.get, try #require(URL(string: url)))
            _ = try await dpop.send(request, proving: key, over: transport)
        }
        #expect(try claims(transport).map { $0["nonce"] } == [nil, nil, "a-1", "a-2"])
    }

    @Test func responseWithoutANonceLeavesTheOneBefore() async throws {
        let nonces = Lock<[String?]>(["n", nil, nil])
        let transport = ScriptedTransport { [self] _ in try answer(nonces.withLock { $0.removeFirst() }) }
        let key = try await dpop.keys.current()
        for _ in 0..<3 { _ = try await dpop.send(request(), proving: key, over: transport) }
        #expect(try claims(transport).map { $0["nonce"] } == [nil, "n", "n"])
    }

    /// A refresh token is not sent again once another process may use it.
    @Test func requestIsNotRepeatedWhereTheCallerForbidsIt() async throws {
        let transport = ScriptedTransport { [self] _ in try answer("n", status: 400, error: "use_dpop_nonce") }
        let key = try await dpop.keys.current()
        let error = await #expect(throws: AuthError.self) {
            try await dpop.send(request(), proving: key, over: transport) { () throws(AuthError) in
                throw AuthError(.storage, "The lock is lost.")
            }
        }
        #expect(error?.code == .storage && transport.requests.count == 1)
    }
}

/// The key of a store.
@Suite(.enabled(if: Signatures.isAvailable)) struct DPoPKeysTests {
    @Test func keyIsStoredBeforeItIsReturned() async throws {
        let store = MemorySessionStore()
        let key = try await DPoPKeys(in: store).current()
        let stored = try #require(try await store.read(.dpopKey).data)
        #expect(try DPoPKey(stored: stored)?.thumbprint == key.thumbprint)
        #expect(try await DPoPKeys(in: store).current().thumbprint == key.thumbprint)
        #expect(try await DPoPKeys(in: store).key(key.thumbprint).thumbprint == key.thumbprint)
    }

    /// Two processes that make a key at once: the second write is refused, and that process takes the key of the first.
    @Test func twoProcessesComeToOneKey() async throws {
        let store = FaultySessionStore()
        let hold = store.hold(.write, of: .dpopKey)
        async let second = DPoPKeys(in: store).current()
        await hold.reached()
        let first = try await DPoPKeys(in: store).current()
        hold.release()
        #expect(try await second.thumbprint == first.thumbprint)
    }

    @Test(arguments: [nil, Data("{".utf8)]) func keyThatIsGoneIsLost(record: Data?) async throws {
        let store = MemorySessionStore()
        let key = try await DPoPKeys(in: store).current()
        let version = try await store.read(.dpopKey).version
        _ = try await store.write(record, for: .dpopKey, replacing: version)
        let error = await #expect(throws: AuthError.self) { try await DPoPKeys(in: store).key(key.thumbprint) }
        #expect(error?.code == .sessionExpired && error?.classification.sessionEnd == .keyLost)
        // A sign-in makes another one.
        let next = try await DPoPKeys(in: store).current()
        #expect(next.thumbprint != key.thumbprint)
        await #expect(throws: AuthError.self) { try await DPoPKeys(in: store).key(key.thumbprint) }
    }

    @Test(arguments: [AuthError.Code.storageLocked, .storage]) func storeThatFailsHasNotLostTheKey(
        code: AuthError.Code
    ) async throws {
        let store = FaultySessionStore()
        let key = try await DPoPKeys(in: store).current()
        store.fail(.read, of: .dpopKey, with: AuthError(code, "The test's failure."))
        let errors = [
            await #expect(throws: AuthError.self) { try await DPoPKeys(in: store).key(key.thumbprint) },
            await #expect(throws: AuthError.self) { try await DPoPKeys(in: store).current() },
        ]
        #expect(errors.allSatisfy { $0?.code == code && $0?.classification.sessionEnd == nil })
        store.heal()
        #expect(try await DPoPKeys(in: store).current().thumbprint == key.thumbprint)
    }

    @Test func withoutAStoreItSaysWhatToDo() async {
        let error = await #expect(throws: AuthError.self) { try await DPoPKeys(in: nil).current() }
        #expect(error?.code == .misconfigured && error?.explanation.contains("`store`") == true)
    }
}

/// A system without libcrypto.
@Suite(.enabled(if: !Signatures.isAvailable)) struct DPoPWithoutKeysTests {
    @Test func bindingIsAnErrorOfTheConfiguration() async {
        let error = await #expect(throws: AuthError.self) {
            try await DPoPKeys(in: MemorySessionStore()).current()
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("OpenSSL") == true)
    }
}
