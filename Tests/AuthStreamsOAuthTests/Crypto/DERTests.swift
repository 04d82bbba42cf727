import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct DERTests {
    @Test(
        arguments: [
            ([], [0x02, 0x01, 0x00]), ([0, 0], [0x02, 0x01, 0x00]), ([0, 1], [0x02, 0x01, 0x01]),
            ([0x7F], [0x02, 0x01, 0x7F]), ([0x80], [0x02, 0x02, 0x00, 0x80]),
            ([0, 0xFF, 0], [0x02, 0x03, 0x00, 0xFF, 0x00]),
        ] as [([UInt8], [UInt8])])
    func integerIsShortAndNeverNegative(number: [UInt8], expected: [UInt8]) {
        #expect(DER.integer(Data(number)) == Data(expected))
        var reader = DER.Reader(Data(expected))
        #expect(reader.unsignedInteger() == Data(number.drop { $0 == 0 }))
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [0, 1, 127, 128, 255, 256, 65_535]) func lengthReadsBack(count: Int) {
        let content = Data(repeating: 7, count: count)
        var reader = DER.Reader(DER.element(DER.sequenceTag, content))
        #expect(reader.element(DER.sequenceTag) == content)
        #expect(reader.isAtEnd)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x01], [0x02, 0x00], [0x31, 0x00], [0x30, 0x80], [0x30, 0x81, 0x7F], [0x30, 0x81],
            [0x30, 0x82, 0x00, 0xFF], [0x30, 0x82, 0xFF, 0xFF, 0],
            [0x30, 0x88, 255, 255, 255, 255, 255, 255, 255, 255],
        ] as [[UInt8]])
    func whatIsNoSequenceInDERIsRefused(bytes: [UInt8]) {
        var reader = DER.Reader(Data(bytes))
        #expect(reader.element(DER.sequenceTag) == nil)
    }

    @Test func negativeIntegerIsRefused() {
        var reader = DER.Reader(Data([0x02, 0x01, 0x80]))
        #expect(reader.unsignedInteger() == nil)
    }

    @Test func keysReadBack() throws {
        for info in [
            SignatureSamples.rsaPublicKey, SignatureSamples.ellipticPublicKey, SignatureSamples.p384PublicKey,
            SignatureSamples.p521PublicKey, SignatureSamples.ed25519PublicKey,
        ] {
            let key = try #require(PublicKey(subjectPublicKeyInfo: info))
            #expect(key.subjectPublicKeyInfo == info)
            #expect(PublicKey(subjectPublicKeyInfo: info.dropLast()) == nil)
            #expect(PublicKey(subjectPublicKeyInfo: info + [0]) == nil)
        }
    }

    /// Apple's Security framework reads no other form.
    @Test func rsaPrivateKeyIsUnwrapped() {
        let traditional = SignatureSamples.rsaTraditionalPrivateKey
        #expect(PublicKey.rsaPrivateKey(SignatureSamples.rsaPrivateKey) == traditional)
        #expect(PublicKey.rsaPrivateKey(traditional) == traditional)
        for other in [
            SignatureSamples.ellipticPrivateKey, SignatureSamples.ellipticTraditionalPrivateKey,
            SignatureSamples.rsaPublicKey, Data(), Data([0x30, 0x00]), traditional.dropLast(), traditional + [0],
            SignatureSamples.ed25519PrivateKey,
        ] {
            #expect(PublicKey.rsaPrivateKey(other) == nil)
        }
    }

    /// The examples of RFC 8410 section 10.3: without and with the public half. CryptoKit reads the key alone.
    @Test(arguments: [
        "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC",
        "MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhCoB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaX"
            + "JzgSEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
    ])
    func ed25519PrivateKeyIsUnwrapped(text: String) throws {
        let key = try #require(Data(base64Encoded: text))
        let bytes = Data(base64Encoded: "1O5y2/kTWErVttjx92n4rTr+fCjL8dT74Jeoj0R1WEI=")
        #expect(PublicKey.ed25519PrivateKey(key) == bytes)
        for other in [
            key.dropLast(), key + [0], SignatureSamples.ellipticPrivateKey, SignatureSamples.ed25519PublicKey, Data(),
        ] {
            #expect(PublicKey.ed25519PrivateKey(other) == nil)
        }
    }

    @Test(arguments: EllipticCurve.allCases) func shortNumbersOfASignatureAreFilledUp(curve: EllipticCurve) throws {
        let der = Data([0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x00])
        let signature = try #require(ECDSASignature(der: der, on: curve))
        #expect(signature.raw == Data(count: curve.byteCount - 1) + [5] + Data(count: curve.byteCount))
        #expect(ECDSASignature(raw: signature.raw, on: curve)?.der == der)
    }

    /// RFC 7518 section 3.4: 64, 96 and 132 bytes.
    @Test(arguments: [(EllipticCurve.p256, 64), (.p384, 96), (.p521, 132)])
    func signatureOfAnotherCurveIsRefused(curve: EllipticCurve, count: Int) {
        let number = DER.integer(Data(repeating: 1, count: curve.byteCount + 1))
        #expect(ECDSASignature(der: DER.element(DER.sequenceTag, number + number), on: curve) == nil)
        for other in [0, 64, 96, 132, count - 1, count + 1, 2 * count] {
            #expect((ECDSASignature(raw: Data(count: other), on: curve) != nil) == (other == count))
        }
    }
}
