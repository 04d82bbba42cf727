import AuthStreams
import Foundation

@testable import AuthStreamsOAuth
@testable import AuthStreamsTesting

/// ID tokens as a provider would sign them, and the keys they are verified with.
enum SignedTokens {
    /// When every token here is issued; they work for an hour.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// A clock that stands at ``now``.
    static var clock: AuthClock { ManualClock().authClock(startingAt: now) }

    /// Claims of a good token, with changes. A `null` takes a claim away.
    static func claims(_ changes: [String: AuthJSON]) -> [String: AuthJSON] {
        ["sub": "1001", "iat": 1_800_000_000, "exp": 1_800_003_600].merging(changes) { $1 }.filter { $0.value != .null }
    }

    /// A token, unsigned where the system cannot sign.
    static func token(
        _ claims: [String: AuthJSON], algorithm: JWSAlgorithm = .rs256, header: [String: AuthJSON] = ["kid": "one"]
    ) throws -> String {
        let header = header.merging(["alg": .string(algorithm.rawValue)]) { $1 }
        let texts = try [header, claims].map { try JSONEncoder().encode(AuthJSON.object($0)) }
        return try token(header: texts[0], claims: texts[1], algorithm: algorithm)
    }

    /// A token of these texts, which may be anything.
    static func token(header: Data, claims: Data, algorithm: JWSAlgorithm = .rs256) throws -> String {
        let input = [header, claims].map { Base64URL.encode($0) }.joined(separator: ".")
        guard Signatures.isAvailable else { return "\(input)." }
        let key =
            switch algorithm.keyKind {
            case .rsa: DevelopmentKeys.bytes(DevelopmentKeys.rsaPrivateKey)
            case .elliptic(.p256): DevelopmentKeys.bytes(DevelopmentKeys.ellipticPrivateKey)
            case .elliptic(.p384): SignatureSamples.p384PrivateKey
            case .elliptic(.p521): SignatureSamples.p521PrivateKey
            case .ed25519: SignatureSamples.ed25519PrivateKey
            }
        let signature = try Signatures.sign(Data(input.utf8), algorithm: algorithm, privateKey: key)
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// A token signed with the client's secret, as LINE does.
    static func token(_ claims: [String: AuthJSON], sharedSecret: String) throws -> String {
        let parts = try [["alg": "HS256"], claims].map {
            Base64URL.encode(try JSONEncoder().encode(AuthJSON.object($0)))
        }
        let input = parts.joined(separator: ".")
        return "\(input).\(Base64URL.encode(HMAC.code(of: input.utf8, key: Array(sharedSecret.utf8))))"
    }

    static let rsaKey: AuthJSON = [
        "kty": "RSA", "use": "sig", "kid": "one", "n": .string(DevelopmentKeys.rsaModulus),
        "e": .string(DevelopmentKeys.rsaExponent),
    ]

    static let ellipticKey: AuthJSON = [
        "kty": "EC", "crv": "P-256", "kid": "two", "x": .string(DevelopmentKeys.ellipticX),
        "y": .string(DevelopmentKeys.ellipticY),
    ]

    static let p384Key = key("three", SignatureSamples.p384PublicKey)
    static let p521Key = key("four", SignatureSamples.p521PublicKey)
    static let ed25519Key = key("five", SignatureSamples.ed25519PublicKey)

    /// The key that signs by an algorithm.
    static func key(for algorithm: JWSAlgorithm) -> AuthJSON {
        switch algorithm.keyKind {
        case .rsa: rsaKey
        case .elliptic(.p256): ellipticKey
        case .elliptic(.p384): p384Key
        case .elliptic(.p521): p521Key
        case .ed25519: ed25519Key
        }
    }

    private static func key(_ id: String, _ info: Data) -> AuthJSON {
        switch PublicKey(subjectPublicKeyInfo: info) {
        case .elliptic(let curve, let x, let y):
            [
                "kty": "EC", "crv": .string(curve.rawValue), "kid": .string(id), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        case .ed25519(let point):
            ["kty": "OKP", "crv": "Ed25519", "kid": .string(id), "x": .string(Base64URL.encode(point))]
        case .rsa, nil: .null
        }
    }

    /// Returns whether the key signed a token in the compact form, whose payload may be anything.
    static func isSigned(_ text: String, by key: AuthJSON) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(String(parts[0])).flatMap({ AuthJSON(json: $0) }),
            let token = SignedToken(IDToken(token: Secret(text), subject: "", claims: [:], header: header)),
            let keys = JSONWebKeySet(["keys": [key]])
        else { return false }
        return keys.candidates(id: token.keyID, algorithm: token.algorithm).contains(where: token.isSigned)
    }

    static func keys(_ keys: [AuthJSON] = [rsaKey, ellipticKey]) throws -> AuthHTTPResponse {
        try .json(["keys": .array(keys)])
    }
}
