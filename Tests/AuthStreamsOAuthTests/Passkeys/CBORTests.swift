import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

@Suite struct CBORTests {
    /// Of RFC 8949, appendix A.
    @Test(
        arguments: [
            ([0x00], 0), ([0x17], 23), ([0x18, 0x18], 24), ([0x18, 0x64], 100), ([0x19, 0x03, 0xE8], 1_000),
            ([0x1A, 0x00, 0x0F, 0x42, 0x40], 1_000_000),
            ([0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .unsigned(.max)),
            ([0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .negative(.max)),
            ([0x20], -1), ([0x29], -10), ([0x38, 0x63], -100), ([0x39, 0x03, 0xE7], -1_000), ([0xF4], .false),
            ([0xF5], .true), ([0xF6], .null), ([0xF8, 0xFF], .simple(255)),
            ([0xF9, 0x3C, 0x00], .float(Data([0x3C, 0]))),
            ([0xFA, 0x47, 0xC3, 0x50, 0x00], .float(Data([0x47, 0xC3, 0x50, 0x00]))),
            ([0x40], .bytes(Data())), ([0x44, 1, 2, 3, 4], .bytes(Data([1, 2, 3, 4]))), ([0x60], ""),
            ([0x62, 0xC3, 0xBC], "ü"), ([0x62, 0x22, 0x5C], "\"\\"),
            ([0x63, 0xE6, 0xB0, 0xB4], "水"), ([0x80], .array([])), ([0x83, 1, 2, 3], .array([1, 2, 3])),
            ([0x82, 1, 0x82, 2, 3], .array([1, .array([2, 3])])), ([0xA0], .map([:])),
            ([0xA2, 0x01, 0x02, 0x03, 0x04], .map([1: 2, 3: 4])),
            ([0xA2, 0x61, 0x61, 1, 0x61, 0x62, 0x82, 2, 3], .map(["a": 1, "b": .array([2, 3])])),
        ] as [([UInt8], CBOR)])
    func standardsExamplesAreRead(bytes: [UInt8], value: CBOR) throws {
        #expect(try CBOR(Data(bytes)) == value)
        #expect(value.encoded == Data(bytes))
    }

    @Test(
        arguments: [
            ([], .truncated), ([0x18], .truncated), ([0x19, 1], .truncated), ([0x41], .truncated), ([0x61], .truncated),
            ([0x81], .truncated), ([0xA1, 1], .truncated), ([0x82, 1], .truncated), ([0xF9, 0], .truncated),
            // Lengths beyond any memory.
            ([0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated),
            ([0x7B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated),
            ([0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0], .truncated),
            ([0xBB, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0], .truncated),
            ([0x00, 0x00], .trailingBytes), ([0x5F, 0x41, 0, 0xFF], .indefiniteLength),
            ([0x7F, 0x61, 0x61, 0xFF], .indefiniteLength), ([0x9F, 0xFF], .indefiniteLength),
            ([0xBF, 0xFF], .indefiniteLength), ([0xFF], .indefiniteLength), ([0xC0, 0x60], .tag),
            ([0xD8, 0x18, 0x40], .tag),
            ([0x62, 0xC3, 0x28], .invalidText), ([0x61, 0xFF], .invalidText), ([0xA2, 1, 1, 1, 2], .repeatedKey),
            ([0x1C], .reserved), ([0x1F], .reserved), ([0x3F], .reserved), ([0x5D], .reserved),
            ([0xF8, 0x1F], .reserved),
            ([0xFC], .reserved),
        ] as [([UInt8], CBOR.Malformation)])
    func otherBytesAreRefused(bytes: [UInt8], malformation: CBOR.Malformation) {
        #expect(throws: malformation) { try CBOR(Data(bytes)) }
    }

    @Test func longFormOfANumberIsRead() throws {
        #expect(try CBOR(Data([0x1B, 0, 0, 0, 0, 0, 0, 0, 7])) == 7)
        #expect(try CBOR(Data([0x58, 1, 9])) == .bytes(Data([9])))
    }

    @Test(arguments: [0x81, 0xA1] as [UInt8]) func depthIsLimited(opener: UInt8) throws {
        // A map's value is nested, below the key 0.
        let level: [UInt8] = opener == 0xA1 ? [opener, 0] : [opener]
        func nested(_ depth: Int) -> Data { Data(Array(repeating: level, count: depth).joined() + [0]) }
        #expect(throws: Never.self) { try CBOR(nested(CBOR.maximumDepth)) }
        for depth in [CBOR.maximumDepth + 1, 100_000] {
            #expect(throws: CBOR.Malformation.tooDeep) { try CBOR(nested(depth)) }
        }
    }

    @Test func integersBeyond64BitsAreNone() {
        #expect(CBOR.unsigned(.max).integer == nil)
        #expect(CBOR.negative(.max).integer == nil)
        #expect(CBOR.negative(UInt64(Int64.max)).integer == .min)
        #expect(CBOR.unsigned(UInt64(Int64.max)).integer == .max)
    }

    @Test func valuesAreReadOneAfterTheOther() throws {
        var reader = CBOR.Reader([0x01, 0x61, 0x61, 0xFF])
        #expect(try reader.value() == 1)
        #expect(try reader.value() == "a")
        #expect(Array(reader.rest) == [0xFF])
    }

    @Test(arguments: PasskeyVector.all) func vectorsAreWrittenAsTheyWereRead(_ vector: PasskeyVector) throws {
        #expect(try CBOR(vector.attestationObject).encoded == vector.attestationObject)
    }

    /// Whatever is read is a value that reads back.
    @Test func noInputCrashes() throws {
        var random = SeededGenerator(seed: 41)
        var readCount = 0
        for _ in 0..<20_000 {
            let vector = try #require(PasskeyVector.all.randomElement(using: &random))
            let input = Self.damaged(vector.attestationObject, using: &random)
            guard let value = try? CBOR(input) else { continue }
            readCount += 1
            #expect(try CBOR(value.encoded) == value)
            _ = try? AttestationObject(input)
            if let data = value.map?["authData"]?.bytes { _ = try? AuthenticatorData(data) }
        }
        for _ in 0..<20_000 {
            _ = try? CBOR(Data(RandomBytes.bytes(count: .random(in: 0...64, using: &random), using: &random)))
        }
        #expect(readCount > 1_000)
    }

    /// Returns the bytes with some of them changed, and perhaps without their end.
    static func damaged(_ bytes: Data, using random: inout SeededGenerator) -> Data {
        var damaged = Array(bytes)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            // Half of the changes are near the beginning, where the structure is.
            let bound = Bool.random(using: &random) ? min(damaged.count, 48) : damaged.count
            damaged[.random(in: 0..<bound, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            damaged.removeLast(.random(in: 1...damaged.count, using: &random))
        }
        return Data(damaged)
    }
}
