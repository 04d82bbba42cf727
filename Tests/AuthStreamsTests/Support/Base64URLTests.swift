import AuthStreams
import Foundation
import TestSupport
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 section 10, without padding; and the two digits in which the alphabets differ.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("???>>>", "Pz8_Pj4-"),
    ])
    func vectors(text: String, encoded: String) {
        #expect(Base64URL.encode(Data(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Data(text.utf8))
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "Zg=", "Pz8/", "Pz8+", "Zm 9v", "Zm9v\n", "Zé", "한글", "Zm9v.", "\u{0}AAA"])
    func whatIsNotBase64URLIsRefused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyLengthSurvivesTheRoundTrip() {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == Data(bytes))
        }
    }
}
