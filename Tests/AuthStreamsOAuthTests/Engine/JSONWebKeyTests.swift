import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct JSONWebKeyTests {
    private static func key(_ changes: [String: AuthJSON], of algorithm: JWSAlgorithm) -> JSONWebKey {
        JSONWebKey(members: (SignedTokens.key(for: algorithm).object ?? [:]).merging(changes) { $1 })
    }

    /// RFC 7517 sections 4.1 to 4.4, RFC 7518 section 6.2.1.1 and RFC 8037 section 2.
    @Test(
        arguments: [
            (["kty": "RSA"], [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
            (["kty": "RSA", "crv": "P-256"], [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
            (["kty": "EC", "crv": "P-256"], [.es256]), (["kty": "EC", "crv": "P-384"], [.es384]),
            (["kty": "EC", "crv": "P-521"], [.es512]), (["kty": "OKP", "crv": "Ed25519"], [.edDSA]),
            (["kty": "EC"], []), (["kty": "EC", "crv": "secp256k1"], []), (["kty": "EC", "crv": "Ed25519"], []),
            (["kty": "OKP"], []), (["kty": "OKP", "crv": "Ed448"], []), (["kty": "OKP", "crv": "X25519"], []),
            (["kty": "OKP", "crv": "P-256"], []), (["kty": "oct"], []), (["kty": "rsa"], []), ([:], []),
            (["kty": "RSA", "alg": "RS256"], [.rs256]), (["kty": "RSA", "alg": "PS384"], [.ps384]),
            (["kty": "RSA", "alg": "ES256"], []), (["kty": "EC", "crv": "P-521", "alg": "ES256"], []),
            (["kty": "EC", "crv": "P-521", "alg": "ES512"], [.es512]), (["kty": "EC", "crv": "P-256", "alg": 1], []),
            (["kty": "OKP", "crv": "Ed25519", "alg": "EdDSA"], [.edDSA]),
            (["kty": "EC", "crv": "P-384", "use": "sig"], [.es384]),
            (["kty": "EC", "crv": "P-384", "use": "enc"], []),
            (["kty": "EC", "crv": "P-384", "key_ops": ["verify"]], [.es384]),
            (["kty": "EC", "crv": "P-384", "key_ops": ["wrapKey"]], []),
            (["kty": "EC", "crv": "P-384", "key_ops": "verify"], []),
        ] as [([String: AuthJSON], [JWSAlgorithm])])
    func keyServesOnlyWhatItIsFor(members: [String: AuthJSON], algorithms: [JWSAlgorithm]) {
        #expect(JWSAlgorithm.allCases.filter(JSONWebKey(members: members).fits) == algorithms)
    }

    /// Some issuers write a number as a signed one, whose first byte is zero, or with the padding of Base64.
    @Test(arguments: [JWSAlgorithm.rs256, .es256, .es384, .es512, .edDSA])
    func numbersInOtherFormsAreRead(algorithm: JWSAlgorithm) throws {
        let plain = try #require(Self.key([:], of: algorithm).publicKey)
        for name in ["n", "e", "x", "y"] {
            guard let text = SignedTokens.key(for: algorithm)[name]?.string else { continue }
            let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
            #expect(Self.key([name: .string(padded)], of: algorithm).publicKey == plain)

            // A key of Ed25519 is no number (RFC 8032 section 5.1.2).
            if algorithm == .edDSA { continue }
            let signed = Base64URL.encode([0] + [UInt8](try #require(Base64URL.decode(text))))
            let key = try #require(Self.key([name: .string(signed)], of: algorithm).publicKey)
            // The leading zero of a number of RSA is dropped later, as it is written in DER.
            #expect(key.subjectPublicKeyInfo == plain.subjectPublicKeyInfo)
        }
    }

    @Test(arguments: ["=", "==", "AQAB=", "AQ=B", "A===", "AQ+B", "AQAB\n", "AQ==="])
    func textThatIsNoBase64URLIsNoNumber(text: String) {
        #expect(Self.key(["e": .string(text)], of: .rs256).publicKey == nil)
    }

    @Test(.enabled(if: Signatures.isAvailable), arguments: [JWSAlgorithm.es256, .es384, .es512])
    func coordinateOfAnotherLengthIsRefused(algorithm: JWSAlgorithm) throws {
        let text = try #require(SignedTokens.key(for: algorithm)["x"]?.string)
        let bytes = [UInt8](try #require(Base64URL.decode(text)))
        #expect(Self.key(["x": .string(Base64URL.encode([0] + bytes))], of: algorithm).verificationKey != nil)
        let others: [[UInt8]] = [[0, 0] + bytes, [1] + bytes, Array(bytes.dropLast()), bytes + [0], []]
        for wrong in others {
            let key = Self.key(["x": .string(Base64URL.encode(wrong))], of: algorithm)
            #expect(key.verificationKey == nil)
        }
    }

    @Test(.enabled(if: Signatures.isAvailable)) func onlyAKeyThatIsUsedIsRead() throws {
        let members = SignedTokens.ellipticKey.object ?? [:]
        let document: AuthJSON = [
            "keys": .array(
                (0..<10_000).map { .object(members.merging(["kid": .string("\($0)")]) { $1 }) })
        ]
        let set = try #require(JSONWebKeySet(document))
        let candidates = set.candidates(id: "5000", algorithm: .es256)
        #expect(candidates.map(\.id) == ["5000"] && !set.keys.contains(where: \.isRead))
        #expect(candidates.first?.verificationKey != nil)
        #expect(set.keys.filter(\.isRead).map(\.id) == ["5000"], "It is read once for all copies of the key.")
    }
}
