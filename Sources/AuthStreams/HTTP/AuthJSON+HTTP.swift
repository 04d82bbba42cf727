package import Foundation

extension AuthJSON {
    /// Returns the value as the body of a request, members in alphabetic order.
    ///
    /// - Throws: `misconfigured` if it contains a number that is infinite or not a number, which JSON cannot represent.
    package func encoded() throws(AuthError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(JSONText(value: self)) } catch {
            throw AuthError(.misconfigured, "The request has a number that JSON cannot express.", cause: error)
        }
    }
}

/// A value whose members are encoded by their types, which is cheaper than a dictionary of values that say one by one what they
/// are. ``AuthJSON`` itself encodes a dictionary, whose names no strategy of an app's encoder changes.
private struct JSONText: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let value: AuthJSON

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, member) in members {
                let name = Name(stringValue: name)
                switch member {
                case .string(let text): try container.encode(text, forKey: name)
                case .integer(let number): try container.encode(number, forKey: name)
                case .bool(let truth): try container.encode(truth, forKey: name)
                default: try container.encode(JSONText(value: member), forKey: name)
                }
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(JSONText(value: element)) }
        default: try value.encode(to: encoder)
        }
    }
}

extension AuthJSON? {
    /// The token; `nil` if it is absent, null or an empty string.
    ///
    /// A token is printable ASCII (RFC 6749 appendices A.12 and A.17). A line break in it would end the header field that it is
    /// sent in.
    ///
    /// - Parameter name: The member's name, which the error names; it never shows the value.
    /// - Throws: `invalidResponse`.
    package func token(named name: String) throws(AuthError) -> Secret? {
        switch self {
        case nil, .null, .string(""): return nil
        case .string(let text)
        where text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) && text.contains(where: { $0 != " " }):
            return Secret(text)
        default:
            throw AuthError(
                .invalidResponse,
                "The answer's '\(name)' is not a token, which is a string of printable ASCII characters.")
        }
    }
}

/// JSON text whose characters are not all Unicode, made readable.
///
/// A JSON Web Token is not repaired: its signature is of the text as it is.
enum UnicodeRepair {
    /// Returns the text in UTF-8, without a byte order mark, and with U+FFFD in place of bytes that are no character and of
    /// half a surrogate pair in an escape (RFC 8259 sections 8.1 and 8.2).
    static func repaired(_ text: Data) -> Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = text.starts(with: mark) ? text.dropFirst(mark.count) : text
        return Data(withWholeEscapes(Array(String(decoding: body, as: UTF8.self).utf8)))
    }

    private static func withWholeEscapes(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                rest.removeFirst()
                continue
            }
            // A pair of escapes is kept whole, and so is an escape of another kind: its second byte begins none.
            let length = surrogate(rest, 0xD800...0xDBFF) && surrogate(rest.dropFirst(6), 0xDC00...0xDFFF) ? 12 : 2
            if length == 2, surrogate(rest, 0xD800...0xDFFF) {
                result += Array("\\ufffd".utf8)
                rest = rest.dropFirst(6)
            } else {
                result += rest.prefix(length)
                rest = rest.dropFirst(length)
            }
        }
        return result
    }

    /// Returns whether the text begins with the escape of a UTF-16 code unit of that range.
    private static func surrogate(_ text: ArraySlice<UInt8>, _ range: ClosedRange<UInt16>) -> Bool {
        guard text.prefix(2).elementsEqual("\\u".utf8), text.count >= 6 else { return false }
        let digits = String(decoding: text.dropFirst(2).prefix(4), as: UTF8.self)
        return UInt16(digits, radix: 16).map(range.contains) ?? false
    }
}
