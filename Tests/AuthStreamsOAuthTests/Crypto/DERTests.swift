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
        for info in [SignatureSamples.rsaPublicKey, SignatureSamples.ellipticPublicKey] {
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
        ] {
            #expect(PublicKey.rsaPrivateKey(other) == nil)
        }
    }

    @Test func shortNumbersOfASignatureAreFilledUp() throws {
        let signature = try #require(ECDSASignature(der: Data([0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x00])))
        #expect(signature.raw == Data(count: 31) + [5] + Data(count: 32))
        #expect(ECDSASignature(raw: signature.raw)?.der == Data([0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x00]))
    }

    @Test func signatureOfALargerCurveIsRefused() {
        let number = DER.integer(Data(repeating: 1, count: 33))
        #expect(ECDSASignature(der: DER.element(DER.sequenceTag, number + number)) == nil)
        #expect(ECDSASignature(raw: Data(count: 96)) == nil)
    }
}
