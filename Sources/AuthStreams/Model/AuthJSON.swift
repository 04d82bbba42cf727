package import Foundation

/// Any JSON value: a user's custom claims, the data and result of a callable function.
///
/// Integers keep all 64 bits (a Kakao user identifier is an `Int64`); every other number is a `Double`.
public enum AuthJSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([AuthJSON])
    /// An object. The order of its members is not kept.
    case object([String: AuthJSON])
}

extension AuthJSON {
    /// The string, if this is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The boolean, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: [String: AuthJSON]? { if case .object(let value) = self { value } else { nil } }

    /// The elements, if this is an array.
    public var array: [AuthJSON]? { if case .array(let value) = self { value } else { nil } }

    /// A whole number, read leniently: an integer, a number without fraction, or a decimal string.
    ///
    /// Naver and Firebase write `expires_in` as a string where others write an integer.
    public var lenientInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .string(let value): Int64(value)
        default: nil
        }
    }

    /// A truth value, read leniently: a boolean, or the strings `"true"` and `"false"`.
    ///
    /// Apple's ID tokens write `email_verified` either way.
    public var lenientBool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    /// The member of that name, if this is an object that has it.
    public subscript(key: String) -> AuthJSON? { object?[key] }
}

extension AuthJSON: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The common types first: each wrong guess costs an error, except the one for null.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode([String: AuthJSON].self) {
            self = .object(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .array(try container.decode([AuthJSON].self))
        }
    }

    /// Encodes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension AuthJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    /// A string value.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// An object; if two keys are equal, the last one wins.
    public init(dictionaryLiteral elements: (String, AuthJSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
    /// An array.
    public init(arrayLiteral elements: AuthJSON...) { self = .array(elements) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension AuthJSON {
    /// The maximum nesting depth of arrays and objects in received JSON.
    package static let maximumDepth = 64

    /// Reads received JSON.
    ///
    /// Reading takes stack for each level. A text that is nested deeper than ``maximumDepth`` is refused before it is
    /// read, so it cannot overflow a small stack.
    ///
    /// - Returns: `nil` if the text is not JSON or is nested too deeply.
    package init?(json text: Data) {
        guard Self.depth(of: text) <= Self.maximumDepth,
            // `JSONDecoder` has to try each type in turn for a value of unknown type, which takes three times as long.
            let value = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
        else { return nil }
        self.init(serialized: value)
    }

    /// - Parameter value: What `JSONSerialization` makes of a JSON value.
    private init(serialized value: Any) {
        switch value {
        case let string as String: self = .string(string)
        case let members as [String: Any]: self = .object(members.mapValues { AuthJSON(serialized: $0) })
        case let elements as [Any]: self = .array(elements.map { AuthJSON(serialized: $0) })
        case let number as NSNumber: self.init(number)
        default: self = .null
        }
    }

    private init(_ number: NSNumber) {
        // Objective-C's `BOOL`, whose type `JSONSerialization` gives to no number.
        if number.objCType.pointee == CChar(UInt8(ascii: "c")) {
            self = .bool(number.boolValue)
        } else if let integer = Int64(exactly: number) {
            self = .integer(integer)
        } else {
            self = .number(number.doubleValue)
        }
    }

    /// The nesting depth of the brackets outside strings. Text that is not JSON has a depth as well.
    private static func depth(of text: Data) -> Int {
        text.withUnsafeBytes { bytes in
            var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
            for byte in bytes {
                switch byte {
                // Another encoding, which the decoder would accept.
                case 0: return .max
                case _ where isEscaped: isEscaped = false
                case UInt8(ascii: #"\"#) where isInString: isEscaped = true
                case UInt8(ascii: #"""#): isInString.toggle()
                case _ where isInString: break
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    deepest = max(deepest, depth)
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
            }
            return deepest
        }
    }
}

extension AuthJSON {
    /// The string; `nil` if it is empty, because servers also write an empty string for 'none'.
    package var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// How long a token is valid, from a number of seconds or its decimal text; `nil` for any other value.
    ///
    /// Zero or less is zero: the token is expired. More than 365 days, such as a date in place of a duration, is 365 days.
    package var lifetime: Duration? {
        let seconds: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            // `Double` reads `nan`, `inf` and hexadecimal numbers as well.
            case .string(let text) where text.utf8.allSatisfy("0123456789+-.eE".utf8.contains): Double(text)
            default: nil
            }
        guard let seconds, !seconds.isNaN else { return nil }
        return .seconds(min(max(seconds, 0), 31_536_000))
    }

    /// How long a JSON Web Token with these claims is valid in all: `exp` − `iat`, a difference, since clocks may be wrong.
    /// `nil` unless it expires after it was issued.
    package var tokenLifetime: Duration? {
        guard let issued = self["iat"]?.lenientInteger, let expires = self["exp"]?.lenientInteger, expires > issued
        else { return nil }
        return AuthJSON.number(Double(expires) - Double(issued)).lifetime
    }

    /// Returns whether an object of a JSON text, at any depth, has two members of one name.
    ///
    /// Readers differ in which of the two they take (RFC 8259 section 4), and ``init(json:)`` keeps one of them. A JSON Web
    /// Token or key with such a text is refused (RFC 7519 section 4, RFC 7515 section 4, RFC 7517 section 4).
    ///
    /// - Parameter text: A text that ``init(json:)`` reads.
    package static func repeatsMember(_ text: Data) -> Bool {
        // The names so far of each object that is open.
        var names: [Set<String>] = []
        // An array's elements are read much faster than those of `Data`.
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"): names.append([])
            case UInt8(ascii: "}"): _ = names.popLast()
            case UInt8(ascii: #"""#):
                let string = takeString(from: &rest)
                // Only a name is followed by a colon.
                guard rest.first(where: { !isBlank($0) }) == UInt8(ascii: ":"), !names.isEmpty else { continue }
                guard names[names.count - 1].insert(string).inserted else { return true }
            default: break
            }
        }
        return false
    }

    /// Takes the rest of a string, whose first quotation mark was taken, and returns what it says.
    private static func takeString(from rest: inout ArraySlice<UInt8>) -> String {
        let all = rest
        var (isEscaped, hasEscapes) = (false, false)
        while let byte = rest.popFirst(), isEscaped || byte != UInt8(ascii: #"""#) {
            isEscaped = byte == UInt8(ascii: #"\"#) && !isEscaped
            hasEscapes = hasEscapes || isEscaped
        }
        let bytes = all[..<rest.startIndex].dropLast()
        let quoted = Data([UInt8(ascii: #"""#)] + bytes + [UInt8(ascii: #"""#)])
        if hasEscapes, let string = try? JSONDecoder().decode(String.self, from: quoted) { return string }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
