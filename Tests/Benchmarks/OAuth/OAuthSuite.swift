import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

extension Suite {
    /// The signatures of ID tokens and their rules, the listener, and the command-line tool.
    static let oauth = Suite(
        name: "oauth",
        summary: "what OAuth costs, beside libcrypto with a kept key, a server that refuses all, and an empty program",
        rivals: [.libcrypto, .bare, .empty],
        measures: [
            verification(.rs256, "rs256", "RS256"),
            verification(.es256, "es256", "ES256"),
            validation("id-token", "ID token, RS256, by all rules"),
            .strayRequests,
            .commandStart,
        ])

    private static func verification(_ algorithm: JWSAlgorithm, _ id: String, _ title: String) -> Measure {
        Measure(
            id: id, title: title, unit: "µs", figure: .cost(beside: .libcrypto), bound: .atMost(must: 1.3, aim: 1.1)
        ) { rounds in
            #if AUTH_DARWIN
                throw Unavailable(description: "libcrypto is measured on Linux.")
            #else
                let token = try SignedSample(algorithm)
                let direct = try DirectCrypto(publicKey: token.publicKey.subjectPublicKeyInfo)
                let (message, signature) = ([UInt8](token.message), try token.derSignature)
                let count = rounds.scaled(2000)
                return try await rounds.interleave([
                    (.ours, { try await mean(of: count) { try token.verify() } / 1000 }),
                    (
                        .libcrypto,
                        {
                            try await mean(of: count) {
                                guard direct.isValid(signature, of: message) else {
                                    throw Mistake(description: "libcrypto refuses the signature.")
                                }
                            } / 1000
                        }
                    ),
                ])
            #endif
        }
    }

    private static func validation(_ id: String, _ title: String) -> Measure {
        Measure(id: id, title: title, unit: "µs", bound: .atMost(must: 300, aim: 150)) { rounds in
            let token = try SignedSample(.rs256)
            let key = AuthJSON.object(token.key.members)
            let transport = PublishedKeys(keys: ["keys": [key]])
            let clock = ManualClock().authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
            let validator = IDTokenValidator(
                rules: IDTokenRules(issuers: ["https://id.example"], clientID: "app"),
                keys: IssuerKeys(url: URL(literal: "https://id.example/keys"), transport: transport, clock: clock),
                clock: clock)
            return try await rounds.interleave([
                (
                    .ours,
                    {
                        try await mean(of: rounds.scaled(2000)) {
                            _ = try await validator.validate(
                                Secret(token.text), in: IDTokenContext(channel: .browser, nonce: Secret("nonce")))
                        } / 1000
                    }
                )
            ])
        }
    }
}

/// A signed ID token and its key.
private struct SignedSample: Sendable {
    let text: String
    let message: Data
    let key: JSONWebKey
    let publicKey: PublicKey
    private let algorithm: JWSAlgorithm
    private let signature: Data

    init(_ algorithm: JWSAlgorithm) throws {
        guard Signatures.isAvailable else { throw Unavailable(description: "This system verifies no signatures.") }
        self.algorithm = algorithm
        let header = ["alg": algorithm.rawValue, "kid": "one"]
        let claims: AuthJSON = [
            "iss": "https://id.example", "aud": "app", "sub": "1001", "nonce": "nonce", "iat": 1_800_000_000,
            "exp": 1_800_003_600, "email": "minji@example.com", "name": "Minji Kim",
        ]
        let input = [try JSONEncoder().encode(header), try JSONEncoder().encode(claims)].map(Base64URL.encode)
            .joined(separator: ".")
        let isElliptic = algorithm == .es256
        message = Data(input.utf8)
        signature = try Signatures.sign(
            message, algorithm: algorithm,
            privateKey: DevelopmentKeys.bytes(
                isElliptic ? DevelopmentKeys.ellipticPrivateKey : DevelopmentKeys.rsaPrivateKey))
        text = "\(input).\(Base64URL.encode(signature))"
        key = JSONWebKey(
            members: isElliptic
                ? [
                    "kty": "EC", "crv": "P-256", "kid": "one", "x": .string(DevelopmentKeys.ellipticX),
                    "y": .string(DevelopmentKeys.ellipticY),
                ]
                : [
                    "kty": "RSA", "kid": "one", "n": .string(DevelopmentKeys.rsaModulus),
                    "e": .string(DevelopmentKeys.rsaExponent),
                ])
        guard let publicKey = key.publicKey else { throw Mistake(description: "The key has no numbers.") }
        self.publicKey = publicKey
    }

    /// Verifies as the library does for each token, by a key of the issuer's set.
    func verify() throws {
        guard let key = key.verificationKey, try key.verify(signature, of: message, algorithm: algorithm) else {
            throw Mistake(description: "The library refuses the signature.")
        }
    }

    /// The signature as libcrypto reads it.
    var derSignature: [UInt8] {
        get throws {
            guard algorithm == .es256 else { return [UInt8](signature) }
            guard let parts = ECDSASignature(raw: signature, on: .p256) else {
                throw Mistake(description: "No signature.")
            }
            return [UInt8](parts.der)
        }
    }
}

/// An issuer's keys, without a network.
private struct PublishedKeys: AuthHTTPTransport {
    let keys: AuthJSON

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        AuthHTTPResponse(status: 200, body: (try? JSONEncoder().encode(keys)) ?? Data())
    }
}
