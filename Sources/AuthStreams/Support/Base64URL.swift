package import Foundation

/// Base64 with the URL and filename safe alphabet, without padding (RFC 4648 section 5, RFC 7515 section 2).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        // Into an array: reading a `Data` byte by byte is slow.
        let standard = Array(Data(bytes).base64EncodedData())
        return String(decoding: standard.prefix { $0 != padding }.map(urlSafe), as: UTF8.self)
    }

    /// Returns the bytes; `nil` if the text has another alphabet, padding, or a length that no encoding has.
    package static func decode(_ text: String) -> Data? {
        guard text.utf8.allSatisfy(isDigit), text.utf8.count % 4 != 1 else { return nil }
        // Into an array, byte by byte, because every token is decoded here, and a `Data` is slow to fill.
        var digits = text.utf8.map(standard)
        digits += repeatElement(padding, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits))
    }

    private static let padding = UInt8(ascii: "=")

    private static func urlSafe(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
    }

    private static func standard(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
