import Foundation

/// `application/x-www-form-urlencoded` and query strings, encoded strictly.
///
/// Only the unreserved characters of RFC 3986 stay as they are. `+` means space in a form, and Naver's tokens and
/// Firebase's `postBody` contain it, so everything else is percent-encoded.
package enum FormCoding {
    package static let contentType = "application/x-www-form-urlencoded"

    package static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    package static func escape(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                result += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return result
    }

    /// The fields in order, repeats kept; `nil` when an escape is broken or is not UTF-8.
    package static func decode(_ text: String) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(parts[0]), let value = parts.count > 1 ? unescape(parts[1]) : "" else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func unescape(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
