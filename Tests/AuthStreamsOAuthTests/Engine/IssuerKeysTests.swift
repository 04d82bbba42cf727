import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct IssuerKeysTests {
    private let url = URL(literal: "https://a.example/keys")

    private static func set(_ ids: [String]) -> AuthJSON {
        ["keys": .array(ids.map { ["kty": "RSA", "kid": .string($0), "n": "AQAB", "e": "AQAB"] })]
    }

    /// Which keys were offered for a token of that name, the last time they were asked.
    private func verdict(
        _ keys: IssuerKeys, _ id: String?, _ algorithm: JWSAlgorithm = .rs256, isSignedBy modulus: String? = nil
    ) async throws(AuthError) -> (IssuerKeys.Verdict?, offered: [String?]) {
        let offered = Lock<[String?]>([])
        let (verdict, failure) = await keys.verdict(onKey: id, algorithm: algorithm) { key in
            offered.withLock { $0.append(key.id) }
            return key.members["n"]?.string == modulus
        }
        if let failure { throw failure }
        return (verdict, offered.withLock { $0 })
    }

    @Test func keysAreFetchedOnceAndAgainForAnUnknownName() async throws {
        let published = Lock(["one"])
        let transport = ScriptedTransport { _ in try .json(Self.set(published.withLock { $0 })) }
        let clock = ManualClock()
        let keys = IssuerKeys(url: url, transport: transport, clock: clock.authClock(startingAt: Date()))

        for _ in 0..<2 { #expect(try await verdict(keys, "one", isSignedBy: "AQAB") == (.verified, ["one"])) }
        #expect(transport.requests.count == 1)

        published.withLock { $0 = ["two"] }
        #expect(try await verdict(keys, "two", isSignedBy: "AQAB") == (.verified, ["two"]))
        #expect(transport.requests.count == 2)

        #expect(try await verdict(keys, "three") == (.noKey, []))
        #expect(transport.requests.count == 2, "Made-up names cause one request a minute.")
        clock.advance(by: .seconds(60))
        #expect(try await verdict(keys, "three") == (.noKey, []))
        #expect(transport.requests.count == 3)
    }

    /// An issuer may publish another key by the name of the one before, or keys without names.
    @Test(arguments: ["one", nil]) func keysAreFetchedAgainForASignatureThatDoesNotVerify(id: String?) async throws {
        let modulus = Lock("AQAB")
        let transport = ScriptedTransport { _ in
            var key: [String: AuthJSON] = ["kty": "RSA", "n": .string(modulus.withLock { $0 }), "e": "AQAB"]
            key["kid"] = id.map(AuthJSON.string)
            return try .json(["keys": [.object(key)]])
        }
        let clock = ManualClock()
        let keys = IssuerKeys(url: url, transport: transport, clock: clock.authClock(startingAt: Date()))
        #expect(try await verdict(keys, id, isSignedBy: "AQAB").0 == .verified)

        // A rotation is noticed at once.
        modulus.withLock { $0 = "BBBB" }
        #expect(try await verdict(keys, id, isSignedBy: "BBBB").0 == .verified)
        #expect(transport.requests.count == 2)

        // Forged tokens cause few requests.
        clock.advance(by: .seconds(59))
        #expect(try await verdict(keys, id, isSignedBy: "CCCC").0 == .mismatched)
        #expect(try await verdict(keys, "other", isSignedBy: "CCCC").0 != .verified)
        #expect(transport.requests.count == 2)

        clock.advance(by: .seconds(1))
        for _ in 0..<2 { #expect(try await verdict(keys, id, isSignedBy: "CCCC").0 == .mismatched) }
        #expect(transport.requests.count == 3)
    }

    /// An answer from before a rotation may arrive after one from after it.
    @Test func laterOfTwoConcurrentFetchesIsKept() async throws {
        let (isAsked, asked) = AsyncStream.makeStream(of: Void.self)
        let (isReleased, release) = AsyncStream.makeStream(of: Void.self)
        let count = Lock(0)
        let transport = ScriptedTransport { _ in
            guard
                count.withLock({
                    $0 += 1
                    return $0
                }) == 1
            else { return try .json(Self.set(["two"])) }
            asked.finish()
            for await _ in isReleased {}
            return try .json(Self.set(["one"]))
        }
        let clock = ManualClock()
        let keys = IssuerKeys(url: url, transport: transport, clock: clock.authClock(startingAt: Date()))
        async let early = verdict(keys, "one", isSignedBy: "AQAB")
        for await _ in isAsked {}
        clock.advance(by: .seconds(1))
        #expect(try await verdict(keys, "two", isSignedBy: "AQAB").0 == .verified)
        release.finish()
        #expect(try await early.0 == .verified)

        #expect(try await verdict(keys, "two", isSignedBy: "AQAB").0 == .verified)
        #expect(transport.requests.count == 2)
    }

    /// A key that the issuer withdrew vouches for nothing after a day.
    @Test func keysAreFetchedAnewAfterADay() async throws {
        let published = Lock(["one"])
        let transport = ScriptedTransport { _ in try .json(Self.set(published.withLock { $0 })) }
        let clock = ManualClock()
        let keys = IssuerKeys(url: url, transport: transport, clock: clock.authClock(startingAt: Date()))
        _ = try await verdict(keys, "one", isSignedBy: "AQAB")
        published.withLock { $0 = ["two"] }
        clock.advance(by: .seconds(24 * 3600 - 1))
        #expect(try await verdict(keys, "one", isSignedBy: "AQAB").0 == .verified)
        clock.advance(by: .seconds(1))
        #expect(try await verdict(keys, "one", isSignedBy: "AQAB").0 == .noKey)
        #expect(transport.requests.count == 2)
    }

    @Test func keysThatAnyoneCouldChangeOnTheWayAreNotFetched() async {
        let transport = ScriptedTransport { _ in try .json(Self.set(["one"])) }
        let keys = IssuerKeys(url: URL(literal: "http://a.example/keys"), transport: transport, clock: .system)
        let error = await #expect(throws: AuthError.self) { try await verdict(keys, "one") }
        #expect(error?.code == .misconfigured)
        #expect(transport.requests.isEmpty)
    }

    /// OpenID Connect Core section 10.1: an issuer with several keys names the key in the token.
    @Test func tokenWithoutNameIsVerifiedByTheOnlyKeyThatFits() async throws {
        func verdict(
            _ algorithm: JWSAlgorithm, _ set: [AuthJSON]
        ) async throws -> (IssuerKeys.Verdict?, offered: [String?]) {
            let transport = ScriptedTransport { _ in try .json(["keys": .array(set)]) }
            let keys = IssuerKeys(url: url, transport: transport, clock: .system)
            return try await self.verdict(keys, nil, algorithm, isSignedBy: "AQAB")
        }
        let rsa: AuthJSON = ["kty": "RSA", "kid": "one", "n": "AQAB", "e": "AQAB"]
        let others: [AuthJSON] = [
            ["kty": "RSA", "kid": "two", "use": "enc", "n": "AQAB", "e": "AQAB"],
            ["kty": "RSA", "kid": "three", "alg": "RS512", "n": "AQAB", "e": "AQAB"],
            ["kty": "EC", "kid": "four", "crv": "P-256"], ["kty": "EC", "kid": "five", "crv": "P-384"],
            ["kty": "OKP", "crv": "Ed25519"],
        ]
        #expect(try await verdict(.rs256, others + [rsa]) == (.verified, ["one"]))
        #expect(try await verdict(.es384, others) == (.mismatched, ["five"]))
        #expect(try await verdict(.edDSA, others) == (.mismatched, [nil]))
        #expect(try await verdict(.es512, others) == (.noKey, []))
        #expect(try await verdict(.rs512, others + [rsa]) == (.ambiguous, []), "None of several is tried.")
    }

    /// A key set may be as large as a response.
    @Test func keysOfALargeSetAreNotTriedOneByOne() async throws {
        let set = Self.set((0..<1_000).map { "key-\($0)" } + Array(repeating: "same", count: 9))
        let transport = ScriptedTransport { _ in try .json(set) }
        let keys = IssuerKeys(url: url, transport: transport, clock: .system)
        #expect(try await verdict(keys, "key-999", isSignedBy: "AQAB") == (.verified, ["key-999"]))
        #expect(try await verdict(keys, nil, isSignedBy: "AQAB") == (.ambiguous, []))
        #expect(try await verdict(keys, "same", isSignedBy: "AQAB") == (.ambiguous, []))
    }

    @Test(
        arguments: [
            (200, "<html>", .invalidResponse), (200, "{}", .invalidResponse), (302, "", .invalidResponse),
            (404, #"{"keys":[]}"#, .invalidResponse), (500, "", .server), (429, "", .rateLimited),
        ] as [(Int, String, AuthError.Code)])
    func answerThatIsNoKeySetIsATypedError(status: Int, body: String, code: AuthError.Code) async {
        let transport = ScriptedTransport { _ in .text(body, status: status) }
        let keys = IssuerKeys(url: url, transport: transport, clock: .system)
        let error = await #expect(throws: AuthError.self) { try await verdict(keys, nil) }
        #expect(error?.code == code)
    }

    @Test func requestThatFailsNamesItsURL() async {
        let transport = ScriptedTransport { _ in throw AuthError(.network, "Scripted.") }
        let keys = IssuerKeys(url: url, transport: transport, clock: .system)
        let error = await #expect(throws: AuthError.self) { try await verdict(keys, nil) }
        #expect(error?.code == .network)
        #expect(error?.explanation == "The issuer's keys at \(url) could not be fetched. Scripted.")
    }
}
