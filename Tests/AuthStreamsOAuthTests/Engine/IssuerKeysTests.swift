import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@Suite struct IssuerKeysTests {
    private let url = URL(literal: "https://a.example/keys")

    private static func set(_ ids: [String]) -> JSONValue {
        ["keys": .array(ids.map { ["kty": "RSA", "kid": .string($0), "n": "AQAB", "e": "AQAB"] })]
    }

    @Test func keysAreFetchedOnceAndAgainForAnUnknownName() async throws {
        let published = Lock(["one"])
        let transport = ScriptedTransport { _ in try .json(Self.set(published.withLock { $0 })) }
        let keys = IssuerKeys(url: url, transport: transport)

        #expect(try await keys.candidates(id: "one", algorithm: .rs256).map(\.id) == ["one"])
        #expect(try await keys.candidates(id: "one", algorithm: .rs256).count == 1)
        #expect(transport.requests.count == 1)

        published.withLock { $0 = ["two"] }
        #expect(try await keys.candidates(id: "two", algorithm: .rs256).map(\.id) == ["two"])
        #expect(transport.requests.count == 2)

        #expect(try await keys.candidates(id: "three", algorithm: .rs256).isEmpty)
        #expect(transport.requests.count == 3)
    }

    @Test func keysThatAnyoneCouldChangeOnTheWayAreNotFetched() async {
        let transport = ScriptedTransport { _ in try .json(Self.set(["one"])) }
        let keys = IssuerKeys(url: URL(literal: "http://a.example/keys"), transport: transport)
        let error = await #expect(throws: AuthError.self) { try await keys.candidates(id: "one", algorithm: .rs256) }
        #expect(error?.code == .misconfigured)
        #expect(transport.requests.isEmpty)
    }

    @Test func tokenWithoutNameMayBeSignedByAnyKeyThatFits() async throws {
        let transport = ScriptedTransport { _ in try .json(Self.set(["one", "two"])) }
        let keys = IssuerKeys(url: url, transport: transport)
        #expect(try await keys.candidates(id: nil, algorithm: .rs256).count == 2)
        #expect(try await keys.candidates(id: nil, algorithm: .es256).isEmpty)
    }

    @Test(
        arguments: [
            (200, "<html>", .invalidResponse), (200, "{}", .invalidResponse), (302, "", .invalidResponse),
            (404, #"{"keys":[]}"#, .invalidResponse), (500, "", .server), (429, "", .rateLimited),
        ] as [(Int, String, AuthError.Code)])
    func answerThatIsNoKeySetIsATypedError(status: Int, body: String, code: AuthError.Code) async {
        let keys = IssuerKeys(url: url, transport: ScriptedTransport { _ in .text(body, status: status) })
        let error = await #expect(throws: AuthError.self) { try await keys.candidates(id: nil, algorithm: .rs256) }
        #expect(error?.code == code)
    }

    /// RFC 7517 sections 4.1 to 4.4.
    @Test(
        arguments: [
            (["kty": "RSA"], .rs256, true), (["kty": "RSA"], .ps256, true), (["kty": "EC"], .es256, true),
            (["kty": "EC"], .rs256, false), (["kty": "oct"], .rs256, false), ([:], .rs256, false),
            (["kty": "RSA", "alg": "RS256"], .rs256, true), (["kty": "RSA", "alg": "PS256"], .rs256, false),
            (["kty": "RSA", "use": "sig"], .rs256, true), (["kty": "RSA", "use": "enc"], .rs256, false),
            (["kty": "RSA", "key_ops": ["verify"]], .rs256, true),
            (["kty": "RSA", "key_ops": ["wrapKey"]], .rs256, false),
            (["kty": "RSA", "key_ops": "verify"], .rs256, false),
        ] as [([String: JSONValue], JWSAlgorithm, Bool)])
    func keyServesOnlyWhatItIsFor(members: [String: JSONValue], algorithm: JWSAlgorithm, fits: Bool) {
        #expect(JSONWebKey(members: members).fits(algorithm) == fits)
    }
}
