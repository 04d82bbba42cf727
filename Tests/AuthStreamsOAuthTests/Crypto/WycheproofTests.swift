import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// All cases of Project Wycheproof's vectors for RS256 and ES256.
@Suite(.enabled(if: Signatures.isAvailable && Wycheproof.folder != nil, "needs libcrypto and the vectors"))
struct WycheproofTests {
    @Test func rsaSignaturesAreJudgedAsTheVectorsSay() throws {
        let file = try Wycheproof.file("rsa_signature_2048_sha256_test.json")
        var judged = 0
        for group in file.testGroups {
            let jwk = try #require(group.keyJwk)
            let key = PublicKey.rsa(
                modulus: try #require(Base64URL.decode(jwk.n ?? "")),
                exponent: try #require(Base64URL.decode(jwk.e ?? ""))
            )
            for test in group.tests {
                let verified = try test.verify(.rs256, key)
                switch test.result {
                case "valid": #expect(verified, "case \(test.tcId): \(test.comment)")
                // The one case that may go either way leaves out the NULL in the hash's identifier. RFC 8017 section
                // 9.2 writes it with NULL, so that anything else is no signature of RS256.
                case "acceptable": #expect(!verified && test.flags == ["MissingNull"], "case \(test.tcId)")
                default: #expect(!verified, "case \(test.tcId): \(test.comment)")
                }
                judged += 1
            }
        }
        #expect(judged == file.numberOfTests)
    }

    @Test func ellipticSignaturesAreJudgedAsTheVectorsSay() throws {
        let file = try Wycheproof.file("ecdsa_secp256r1_sha256_p1363_test.json")
        var judged = 0
        for group in file.testGroups {
            let point = try #require(Wycheproof.bytes(group.publicKey.uncompressed ?? ""))
            try #require(point.count == 65)
            let key = PublicKey.p256(x: point[1..<33], y: point[33...])
            for test in group.tests {
                let verified = try test.verify(.es256, key)
                #expect(verified == (test.result == "valid"), "case \(test.tcId): \(test.comment)")
                judged += 1
            }
        }
        #expect(judged == file.numberOfTests)
    }
}

/// Where the vectors are and what they look like.
enum Wycheproof {
    struct File: Decodable {
        var numberOfTests: Int
        var testGroups: [Group]
    }

    struct Group: Decodable {
        struct Key: Decodable { var uncompressed: String? }
        struct JWK: Decodable {
            var n: String?
            var e: String?
        }

        var publicKey: Key
        var keyJwk: JWK?
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

    static func file(_ name: String) throws -> File {
        let folder = try #require(folder)
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
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
