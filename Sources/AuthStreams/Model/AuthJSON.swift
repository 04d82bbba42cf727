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
