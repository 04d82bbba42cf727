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

        #expect(try await keys.candidates(id: "one", algorithm: "RS256").map(\.id) == ["one"])
        #expect(try await keys.candidates(id: "one", algorithm: "RS256").count == 1)
        #expect(transport.requests.count == 1)

        published.withLock { $0 = ["two"] }
        #expect(try await keys.candidates(id: "two", algorithm: "RS256").map(\.id) == ["two"])
        #expect(transport.requests.count == 2)

        #expect(try await keys.candidates(id: "three", algorithm: "RS256").isEmpty)
        #expect(transport.requests.count == 3)
    }

    @Test func tokenWithoutNameMayBeSignedByAnyKeyThatFits() async throws {
        let transport = ScriptedTransport { _ in try .json(Self.set(["one", "two"])) }
        let keys = IssuerKeys(url: url, transport: transport)
        #expect(try await keys.candidates(id: nil, algorithm: "RS256").count == 2)
        #expect(try await keys.candidates(id: nil, algorithm: "ES256").isEmpty)
    }

    @Test(
        arguments: [
            (200, "<html>", .invalidResponse), (200, "{}", .invalidResponse), (302, "", .invalidResponse),
            (404, #"{"keys":[]}"#, .invalidResponse), (500, "", .server), (429, "", .rateLimited),
        ] as [(Int, String, AuthError.Code)])
    func answerThatIsNoKeySetIsATypedError(status: Int, body: String, code: AuthError.Code) async {
        let keys = IssuerKeys(url: url, transport: ScriptedTransport { _ in .text(body, status: status) })
        let error = await #expect(throws: AuthError.self) { try await keys.candidates(id: nil, algorithm: "RS256") }
        #expect(error?.code == code)
    }

    /// RFC 7517 sections 4.1 to 4.4.
    @Test(
        arguments: [
            (["kty": "RSA"], "RS256", true), (["kty": "RSA"], "PS256", true), (["kty": "EC"], "ES256", true),
            (["kty": "EC"], "RS256", false), (["kty": "oct"], "RS256", false), ([:], "RS256", false),
            (["kty": "RSA", "alg": "RS256"], "RS256", true), (["kty": "RSA", "alg": "PS256"], "RS256", false),
            (["kty": "RSA", "use": "sig"], "RS256", true), (["kty": "RSA", "use": "enc"], "RS256", false),
            (["kty": "RSA", "key_ops": ["verify"]], "RS256", true),
            (["kty": "RSA", "key_ops": ["wrapKey"]], "RS256", false),
            (["kty": "RSA", "key_ops": "verify"], "RS256", false),
        ] as [([String: JSONValue], String, Bool)])
    func keyServesOnlyWhatItIsFor(members: [String: JSONValue], algorithm: String, fits: Bool) {
        #expect(JSONWebKey(members: members).fits(algorithm) == fits)
    }
}
