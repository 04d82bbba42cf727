import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@testable import AuthStreamsTesting

/// The cryptography of the report that a person has ended their link to the app.
@Suite struct NaverCipherTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        var rest = hex.filter { $0 != " " }[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16), !rest.isEmpty {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// RFC 1321 appendix A.5; and lengths around a block, by other implementations.
    @Test(
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
            (String(repeating: "x", count: 55), "04364420e25c512fd958a70738aa8f72"),
            (String(repeating: "x", count: 56), "668a72d5ba17f08e62dabcafad6db14b"),
            (String(repeating: "x", count: 64), "c1bb4f81d892b2d57947682aeb252456"),
        ])
    func hashIsThatOfRFC1321(text: String, hash: String) {
        #expect(SHA256.hex(MD5.hash(text.utf8)) == hash)
    }

    /// FIPS 197 appendices B and C.1.
    @Test(
        arguments: [
            (
                "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
                "3925841d02dc09fbdc118597196a0b32"
            ),
            (
                "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
                "69c4e0d86a7b0430d8cdb78070b4c55a"
            ),
        ])
    func blockIsThatOfFIPS197(key: String, block: String, encrypted: String) {
        #expect(AES128(key: Self.bytes(key)).encrypt(Self.bytes(block)) == Self.bytes(encrypted))
    }

    /// SP 800-38A appendix F.2.1, and a block of padding.
    @Test func chainIsThatOfSP800() {
        let message = Self.bytes(
            """
            6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 \
            30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
            """)
        let encrypted = Self.bytes(
            """
            7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2 \
            73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7
            """)
        let vector = Self.bytes("000102030405060708090a0b0c0d0e0f")
        let result = AES128(key: Self.bytes("2b7e151628aed2a6abf7158809cf4f3c")).encrypt(message, vector: vector)
        #expect(result.count == 16 + 64 + 16)
        #expect(Array(result[..<16]) == vector && Array(result[16..<80]) == encrypted)
    }

    /// As Naver's guide shows it, by an implementation of the inverse cipher (FIPS 197 section 5.3).
    @Test(arguments: ["", "naver-1001", "0123456789abcdef", "h3Gx0Hn6kTmLh0LcT5JbAnX3C1bzOZC3kOD_dvMmPIM"])
    func serverReadsTheIdentifier(id: String) throws {
        let naver = EmulatorConfiguration().naver
        let date = Date(timeIntervalSince1970: 1_693_877_406.9)
        let form = naver.unlinkForm(of: id, at: date)
        #expect(form.map(\.name) == ["clientId", "encryptUniqueId", "timestamp", "signature"])
        #expect(form[0].value == naver.clientID && form[2].value == "1693877406")
        let notice = try NaverNotice(form.map { ($0.name, $0.value ?? "") }, secret: naver.clientSecret)
        #expect(notice.userID == id)
        #expect(throws: (any Error).self) { try NaverNotice(form.map { ($0.name, $0.value ?? "") }, secret: "another") }
        #expect(naver.unlinkForm(of: id, at: date)[1].value != form[1].value, "It begins at random.")
    }
}

/// The report as a server reads it.
struct NaverNotice {
    let userID: String

    private enum Refusal: Error { case signature, cipher }

    init(_ form: [(name: String, value: String)], secret: String) throws {
        let fields = Dictionary(form.map { ($0.name, $0.value) }) { first, _ in first }
        func field(_ name: String) throws -> String { try #require(fields[name]) }
        let key = MD5.hash(secret.utf8)
        let signed = try ["clientId", "encryptUniqueId", "timestamp"].map { try "\($0)=\(field($0))" }
            .joined(separator: "&")
        guard try Base64URL.encode(HMAC.code(of: signed.utf8, key: key)) == field("signature") else {
            throw Refusal.signature
        }
        let bytes = [UInt8](try #require(Base64URL.decode(try field("encryptUniqueId"))))
        guard bytes.count >= 32, bytes.count.isMultiple(of: 16) else { throw Refusal.cipher }
        var plain: [UInt8] = []
        for start in stride(from: 16, to: bytes.count, by: 16) {
            let block = Self.decrypt(Array(bytes[start..<start + 16]), key: key)
            plain += zip(block, bytes[(start - 16)...]).map { $0 ^ $1 }
        }
        let padding = Int(plain.last ?? 0)
        guard (1...16).contains(padding), plain.suffix(padding).allSatisfy({ $0 == UInt8(padding) }) else {
            throw Refusal.cipher
        }
        userID = String(decoding: plain.dropLast(padding), as: UTF8.self)
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (result, factor): (UInt8, UInt8) = (0, left)
        for bit in 0..<8 {
            if right >> bit & 1 == 1 { result ^= factor }
            factor = factor << 1 ^ (factor & 0x80 == 0 ? 0 : 0x1B)
        }
        return result
    }

    /// The S-box from its definition: the inverse in the field, and an affine map.
    private static let box: [UInt8] = (0...255).map { (number: UInt8) in
        let inverse = (UInt8.min ... .max).first { product(number, $0) == 1 } ?? 0
        var result: UInt8 = 0x63
        for bit in 0..<8 {
            for other in [0, 4, 5, 6, 7] { result ^= (inverse >> ((bit + other) % 8) & 1) << bit }
        }
        return result
    }

    private static func decrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8] {
        var words = key
        var constant: UInt8 = 1
        for word in 4..<44 {
            var last = Array(words.suffix(4))
            if word % 4 == 0 {
                last = [box[Int(last[1])] ^ constant, box[Int(last[2])], box[Int(last[3])], box[Int(last[0])]]
                constant = product(constant, 2)
            }
            words += zip(last, words[(words.count - 16)...]).map { $0 ^ $1 }
        }
        let inverse = Dictionary(uniqueKeysWithValues: box.enumerated().map { ($1, UInt8($0)) })
        var state = zip(block, words[160...]).map { $0 ^ $1 }
        for round in (0..<10).reversed() {
            let shifted: [UInt8] = (0..<16).map { (index: Int) in inverse[state[(index + 12 * (index % 4)) % 16]] ?? 0 }
            state = zip(shifted, words[(16 * round)...]).map { $0 ^ $1 }
            guard round > 0 else { break }
            let (columns, factors): ([UInt8], [UInt8]) = (state, [0x0E, 0x0B, 0x0D, 0x09])
            for index in 0..<16 {
                state[index] = 0
                for row in 0..<4 {
                    let byte = columns[index - index % 4 + (index + row) % 4]
                    state[index] ^= product(byte, factors[row])
                }
            }
        }
        return state
    }
}
