/// `application/x-www-form-urlencoded` and query strings, encoded strictly.
///
/// Only the unreserved characters of RFC 3986 are not encoded. `+` means space in a form, and Naver's tokens and
/// Firebase's `postBody` contain it, so everything else is percent-encoded.
package enum FormCoding {
    package static let contentType = "application/x-www-form-urlencoded"

    package static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    package static func escape(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The upper-case hexadecimal digit (RFC 3986 section 2.1).
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Returns the fields in order, with repetitions; `nil` if an escape is malformed or is not UTF-8.
    ///
    /// Reads bytes: a combining character after `&`, `=`, `+` or `%` forms one `Character` with it and would hide the
    /// delimiter.
    package static func decode(_ text: String) -> [(name: String, value: String)]? {
        decode(text, omitting: nil)
    }

    /// Returns the fields of a callback's query, without an `error_description` that cannot be decoded; `nil` if
    /// another field cannot.
    ///
    /// Some servers describe an error in another encoding than UTF-8, such as EUC-KR. The error's code still counts.
    package static func decodeCallback(_ query: String) -> [(name: String, value: String)]? {
        decode(query, omitting: "error_description")
    }

    /// - Parameter optional: The name of the field that is left out if its value cannot be decoded.
    private static func decode(_ text: String, omitting optional: String?) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(parts[0]) else { return nil }
            if let value = parts.count > 1 ? unescape(parts[1]) : "" {
                fields.append((name, value))
            } else if name != optional {
                return nil
            }
        }
        return fields
    }

    private static func unescape(_ escaped: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var rest = escaped
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, which changes the bytes.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
