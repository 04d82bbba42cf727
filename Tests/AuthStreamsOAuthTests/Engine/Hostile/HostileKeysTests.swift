import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Keys of an issuer that verify nothing, or not what they seem to.
@Suite(.enabled(if: Signatures.isAvailable)) struct HostileKeysTests {
    private static let claims = SignedTokens.claims(["iss": "https://a.example", "aud": "app", "nonce": "n"])

    private func validate(
        keys text: String, algorithm: JWSAlgorithm = .rs256, kid: String? = "one"
    ) async throws -> IDToken {
        let validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"),
            keys: IssuerKeys(
                url: URL(literal: "https://a.example/keys"), transport: ScriptedTransport { _ in .text(text) },
                clock: SignedTokens.clock), clock: SignedTokens.clock)
        let header = kid.map { ["kid": AuthJSON.string($0)] } ?? [:]
        let token = try SignedTokens.token(Self.claims, algorithm: algorithm, header: header)
        return try await validator.validate(Secret(token), in: IDTokenContext(channel: .browser, nonce: Secret("n")))
    }

    private func expectRefusal(
        _ code: AuthError.Code, _ text: String, keys: String, algorithm: JWSAlgorithm = .rs256, kid: String? = "one",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await #require(throws: AuthError.self, sourceLocation: sourceLocation) {
            _ = try await validate(keys: keys, algorithm: algorithm, kid: kid)
        }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.explanation.contains(text), "\(error.explanation)", sourceLocation: sourceLocation)
    }

    private static func set(_ keys: [AuthJSON]) throws -> String {
        String(decoding: try JSONEncoder().encode(["keys": AuthJSON.array(keys)]), as: UTF8.self)
    }

    private static func key(_ changes: [String: AuthJSON], of key: AuthJSON = SignedTokens.rsaKey) -> AuthJSON {
        .object((key.object ?? [:]).merging(changes) { $1 }.filter { $0.value != .null })
    }

    @Test(arguments: ["{}", #"{"keys":null}"#, #"{"keys":{}}"#, #"{"keys":"one"}"#, #"{"Keys":[]}"#])
    func documentWithoutKeysIsRefused(keys: String) async throws {
        try await expectRefusal(.invalidResponse, "not a JSON Web Key Set", keys: keys)
    }

    @Test(arguments: [#"{"keys":[]}"#, #"{"keys":[null,7,"one",[],{}]}"#, #"{"keys":[{"kid":"one"}]}"#])
    func missingKeyIsNamed(keys: String) async throws {
        try await expectRefusal(.invalidIDToken, "publishes no key", keys: keys)
    }

    @Test(
        arguments: [
            ["use": "enc"], ["use": ["sig"]], ["alg": "RS512"], ["alg": "HS256"], ["alg": "none"],
            ["key_ops": ["encrypt"]], ["key_ops": []], ["kty": "oct"], ["kty": "rsa"], ["kid": "other"], ["kid": .null],
            ["kid": 1],
        ] as [[String: AuthJSON]])
    func keyForSomethingElseIsNoKey(changes: [String: AuthJSON]) async throws {
        try await expectRefusal(.invalidIDToken, "publishes no key", keys: try Self.set([Self.key(changes)]))
    }

    @Test(
        arguments: [
            ["n": .null], ["n": 7], ["n": ""], ["n": "!"], ["n": "AA"], ["n": "AQAB"], ["e": .null], ["e": ""],
            ["e": "AA"], ["e": "AQ"], ["e": "Ag"], ["e": "*"], ["n": .string(String(repeating: "_", count: 342))],
            ["n": .string(String(repeating: "_", count: 100_000))],
            ["e": .string(String(repeating: "_", count: 100_000))],
        ] as [[String: AuthJSON]])
    func malformedRSAKeyVerifiesNothing(changes: [String: AuthJSON]) async throws {
        try await expectRefusal(.invalidIDToken, "does not verify", keys: try Self.set([Self.key(changes)]))
    }

    @Test(
        arguments: [
            ["x": .null], ["x": ""], ["y": "AA"], ["y": "!"],
            ["x": .string(String(repeating: "A", count: 43)), "y": .string(String(repeating: "A", count: 43))],
            ["x": .string(String(repeating: "_", count: 100_000))],
        ] as [[String: AuthJSON]])
    func malformedEllipticKeyVerifiesNothing(changes: [String: AuthJSON]) async throws {
        let key = Self.key(changes, of: SignedTokens.ellipticKey)
        try await expectRefusal(
            .invalidIDToken, "does not verify", keys: try Self.set([key]), algorithm: .es256, kid: "two")
    }

    @Test(
        arguments: [
            ["x": .null], ["x": 7], ["x": ""], ["x": "AA"], ["x": "!"],
            // No point, one of small order, and another key.
            ["x": .string(String(repeating: "_", count: 43))], ["x": .string(String(repeating: "A", count: 43))],
            ["x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            ["x": .string(String(repeating: "_", count: 100_000))],
        ] as [[String: AuthJSON]])
    func malformedEd25519KeyVerifiesNothing(changes: [String: AuthJSON]) async throws {
        let key = Self.key(changes, of: SignedTokens.ed25519Key)
        try await expectRefusal(
            .invalidIDToken, "does not verify", keys: try Self.set([key]), algorithm: .edDSA, kid: "five")
    }

    @Test(arguments: [JWSAlgorithm.es256, .es384, .es512, .edDSA])
    func keyOfAnotherCurveIsNoKey(algorithm: JWSAlgorithm) async throws {
        let right = SignedTokens.key(for: algorithm)
        let curves: [AuthJSON] = ["P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448", .null]
        for curve in curves where curve != right["crv"] {
            let key = Self.key(["crv": curve], of: right)
            try await expectRefusal(
                .invalidIDToken, "publishes no key", keys: try Self.set([key]), algorithm: algorithm, kid: nil)
        }
    }

    /// OpenID Connect Core section 10.1. The right key is among them.
    @Test func tokenThatNamesNoneOfSeveralKeysIsRefused() async throws {
        let modulus = try #require(SignedTokens.rsaKey["n"]?.string)
        let other = Self.key(["kid": "other", "n": .string("_" + modulus.dropFirst())])
        for keys in [[SignedTokens.rsaKey, other], [other, SignedTokens.rsaKey]] {
            try await expectRefusal(.invalidIDToken, "does not tell by which", keys: try Self.set(keys), kid: nil)
        }
        let others = [SignedTokens.ellipticKey, Self.key(["kid": "other", "use": "enc"])]
        let keys = try Self.set(others + [Self.key(["kid": .null])])
        #expect(try await validate(keys: keys, kid: nil).subject == "1001")
    }

    @Test func manyKeysOfOneNameAreRefused() async throws {
        let keys = [AuthJSON](repeating: SignedTokens.rsaKey, count: IssuerKeys.maximumTrials)
        #expect(try await validate(keys: try Self.set(keys)).subject == "1001")
        try await expectRefusal(
            .invalidIDToken, "does not tell by which", keys: try Self.set(keys + [SignedTokens.rsaKey]))
    }

    /// Both keys of one name count, because the issuer published both; a key of another name does not.
    @Test func everyKeyOfARepeatedNameCounts() async throws {
        let modulus = try #require(SignedTokens.rsaKey["n"]?.string)
        let other = Self.key(["n": .string("_" + modulus.dropFirst())])
        for keys in [[other, SignedTokens.rsaKey], [SignedTokens.rsaKey, other]] {
            #expect(try await validate(keys: try Self.set(keys)).subject == "1001")
        }
        try await expectRefusal(.invalidIDToken, "does not verify", keys: try Self.set([other, other]))
        let renamed = Self.key(["kid": "two"])
        try await expectRefusal(.invalidIDToken, "does not verify", keys: try Self.set([other, renamed]))
    }

    @Test func keyThatNamesAMemberTwiceIsRefused() async throws {
        let modulus = try #require(SignedTokens.rsaKey["n"]?.string)
        for name in ["kid", #"\u006bid"#] {
            let keys = #"{"keys":[{"kty":"RSA","kid":"two","\#(name)":"one","n":"\#(modulus)","e":"AQAB"}]}"#
            try await expectRefusal(.invalidResponse, "name a member twice", keys: keys)
        }
    }

    /// The signature of the new key is refused by the kept one, and verifies after the keys were fetched again.
    @Test func keyRotatedUnderItsNameIsFetchedAgain() async throws {
        let modulus = try #require(SignedTokens.rsaKey["n"]?.string)
        let published = Lock(Self.key(["n": .string("_" + modulus.dropFirst())]))
        let transport = ScriptedTransport { _ in try SignedTokens.keys([published.withLock { $0 }]) }
        let time = ManualClock()
        let clock = time.authClock(startingAt: SignedTokens.now)
        let validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"),
            keys: IssuerKeys(url: URL(literal: "https://a.example/keys"), transport: transport, clock: clock),
            clock: clock)
        let token = Secret(try SignedTokens.token(Self.claims))
        let context = IDTokenContext(channel: .browser, nonce: Secret("n"))
        let error = try await #require(throws: AuthError.self) { _ = try await validator.validate(token, in: context) }
        #expect(error.code == .invalidIDToken && error.explanation.contains("does not verify"))
        published.withLock { $0 = SignedTokens.rsaKey }
        time.advance(by: IssuerKeys.coolDown)
        #expect(try await validator.validate(token, in: context).subject == "1001")
        #expect(transport.requests.count == 2)
    }
}
