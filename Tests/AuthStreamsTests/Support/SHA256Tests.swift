import Foundation
import Testing

@testable import AuthStreams

/// The system's function, and where there may be none, ours.
@Suite struct SHA256Tests {
    private static let functions: [@Sendable ([UInt8]) -> [UInt8]] = {
        #if AUTH_CRYPTOKIT
            [{ SHA256.hash($0) }]
        #else
            [{ SHA256.hash($0) }, { PlainSHA256.hash($0) }]
        #endif
    }()

    /// The examples of FIPS 180-2 and NIST's "SHA-256 Additional" sheet.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func publishedExamplesHashAsPublished(text: String, expected: String) {
        for hash in Self.functions { #expect(SHA256.hex(hash(Array(text.utf8))) == expected) }
        #expect(SHA256.hex(text) == expected)
    }

    @Test func aMillionLettersHashAsPublished() {
        for hash in Self.functions {
            let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
            #expect(SHA256.hex(hash(letters)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        }
    }

    /// Byte `i` of a message of `n` bytes is `7 i + n`, modulo 256; the hashes are those of another implementation.
    @Test(arguments: [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"),
        (3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35"),
        (54, "1ad616be707a2b269ecfe28bdea4a4284a4f78a221287d45b98004231f501c77"),
        (55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"),
        (56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"),
        (57, "903284efbf9100e8ba1614ec65eacacad125e03f857cae7acbf8b73b23e0fdfe"),
        (63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"),
        (64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"),
        (65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"),
        (111, "b41ae5233b9ec35d8576a032034d2857b667a618c7038714d727d4dae3aa2525"),
        (112, "0949563bc78e5ccd85603fa20368a33ed3d2da0141c8284a3b1515fe4683cdd7"),
        (119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"),
        (120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"),
        (127, "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095"),
        (128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707"),
        (129, "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d"),
        (1000, "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168"),
    ])
    func everyWayToPadHashesAsElsewhere(count: Int, expected: String) {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
        for hash in Self.functions { #expect(SHA256.hex(hash(message)) == expected) }
        // The same from storage that is not contiguous, of another type, or not aligned.
        #expect(SHA256.hex(SHA256.hash(message.lazy.map { $0 })) == expected)
        #expect(SHA256.hex(SHA256.hash(Data(message))) == expected)
        #expect(SHA256.hex(SHA256.hash(([0] + message).dropFirst())) == expected)
    }

    #if !AUTH_DARWIN
        @Test(.enabled(if: LibCryptoLibrary.shared != nil)) func systemsFunctionIsUsedWhereThereIsOne() throws {
            let library = try #require(LibCryptoLibrary.shared)
            #expect(library.function("SHA256", as: (@convention(c) () -> Void).self) != nil)
            #expect(SHA256.systemHash != nil)
            #expect(library.function("no_such_function", as: (@convention(c) () -> Void).self) == nil)
            #expect(LibCryptoLibrary("libno-such-library.so") == nil)
        }

        /// As OpenSSL 3 does where its configuration loads no provider of the function.
        @Test func functionThatFailsGivesNoHash() {
            #expect(SHA256.hash([1, 2, 3], by: { _, _, _ in nil }) == nil)
        }
    #endif
}
