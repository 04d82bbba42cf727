import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// All cases of Project Wycheproof's vectors for the supported algorithms.
@Suite(.enabled(if: Signatures.isAvailable && Wycheproof.folder != nil, "needs libcrypto and the vectors"))
struct WycheproofTests {
    @Test(
        arguments: [
            ("rsa_signature_2048_sha256_test.json", .rs256), ("rsa_signature_2048_sha384_test.json", .rs384),
            ("rsa_signature_2048_sha512_test.json", .rs512), ("rsa_pss_2048_sha384_mgf1_48_test.json", .ps384),
            ("ecdsa_secp256r1_sha256_p1363_test.json", .es256), ("ecdsa_secp384r1_sha384_p1363_test.json", .es384),
            ("ecdsa_secp521r1_sha512_p1363_test.json", .es512), ("ed25519_test.json", .edDSA),
        ] as [(String, JWSAlgorithm)])
    func signaturesAreJudgedAsTheVectorsSay(name: String, algorithm: JWSAlgorithm) throws {
        let file: Wycheproof.File<Wycheproof.Group> = try Wycheproof.file(name)
        var judged = 0
        for group in file.testGroups {
            let info = try #require(Wycheproof.bytes(group.publicKeyDer))
            let key = try #require(PublicKey(subjectPublicKeyInfo: info))
            if let members = group.keyJwk ?? group.publicKeyJwk {
                let jwk = JSONWebKey(members: members)
                #expect(jwk.publicKey == key && jwk.fits(algorithm))
            }
            for test in group.tests {
                let verified = try test.verify(algorithm, key)
                switch test.result {
                case "valid": #expect(verified, "case \(test.tcId): \(test.comment)")
                // The one case that may go either way leaves out the NULL in the hash's identifier. RFC 8017 section
                // 9.2 writes it with NULL, so that anything else is no signature of these algorithms.
                case "acceptable": #expect(!verified && test.flags == ["MissingNull"], "case \(test.tcId)")
                default: #expect(!verified, "case \(test.tcId): \(test.comment)")
                }
                judged += 1
            }
        }
        #expect(judged == file.numberOfTests)
    }

    /// Whole tokens in the compact form, and the keys in that of a JWK.
    @Test func tokensAreJudgedAsTheVectorsSay() throws {
        let file: Wycheproof.File<Wycheproof.TokenGroup> = try Wycheproof.file("json_web_signature_test.json")
        // These examples of RFC 7520 have keys whose `alg` is another one, or none that exists: PS256 for PS384, ES521.
        let withWrongKeys: Set<Int> = [346, 347, 350, 351]
        var judged = 0
        for group in file.testGroups {
            for test in group.tests {
                // Without a public key, the algorithm is HS256.
                let isValid = test.result == "valid" && group.public != nil && !withWrongKeys.contains(test.tcId)
                let verified = SignedTokens.isSigned(test.jws, by: group.public ?? group.private)
                #expect(verified == isValid, "case \(test.tcId): \(test.comment)")
                judged += 1
            }
        }
        #expect(judged == file.numberOfTests)
    }
}

/// Where the vectors are and what they look like.
enum Wycheproof {
    struct File<Group: Decodable>: Decodable {
        var numberOfTests: Int
        var testGroups: [Group]
    }

    struct Group: Decodable {
        var publicKeyDer: String
        var keyJwk: [String: AuthJSON]?
        var publicKeyJwk: [String: AuthJSON]?
        var tests: [Test]
    }

    struct TokenGroup: Decodable {
        struct Test: Decodable {
            var tcId: Int
            var comment: String
            var jws: String
            var result: String
        }

        var `public`: AuthJSON?
        var `private`: AuthJSON
        var tests: [Test]
    }

    struct Test: Decodable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var msg: String
        var sig: String
        var result: String

        func verify(_ algorithm: JWSAlgorithm, _ key: PublicKey) throws -> Bool {
            let message = try #require(Wycheproof.bytes(msg))
            return try Signatures.verify(
                #require(Wycheproof.bytes(sig)), of: message, algorithm: algorithm, key: key)
        }
    }

    /// The folder in the environment's `AUTHSTREAMS_VECTORS`, otherwise `../shared/vectors` beside the package.
    static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["AUTHSTREAMS_VECTORS"].map { URL(fileURLWithPath: $0) }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        let folder = given ?? package.appendingPathComponent("../shared/vectors").standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static func file<Group>(_ name: String) throws -> File<Group> {
        let folder = try #require(folder)
        return try JSONDecoder().decode(File<Group>.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func bytes(_ hex: String) -> Data? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
