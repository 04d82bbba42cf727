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

    /// A truth value, read leniently: a boolean, `1` or `0`, or the strings `true`, `1`, `Y`, `yes` and `false`, `0`, `N`, `no`
    /// in any letter case.
    ///
    /// Apple's ID tokens write `email_verified` as a boolean or as a string. Some databases have no booleans.
    public var lenientBool: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(1), .number(1): true
        case .integer(0), .number(0): false
        case .string(let text):
            switch text.lowercased() {
            case "true", "1", "y", "yes": true
            case "false", "0", "n", "no": false
            default: nil
            }
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
    /// - Returns: `nil` if the text is not JSON, not UTF-8 or nested too deeply.
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
        guard let seconds = decimal, !seconds.isNaN else { return nil }
        return .seconds(min(max(seconds, 0), 31_536_000))
    }

    /// A number, or the number in a decimal text.
    package var decimal: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        // `Double` reads `nan`, `inf` and hexadecimal numbers as well.
        case .string(let text) where text.utf8.allSatisfy("0123456789+-.eE".utf8.contains): Double(text)
        default: nil
        }
    }

    /// The date in a text with a date, a time and an offset (ISO 8601), such as `2026-11-25T10:00:00.000+09:00`, or in the seconds
    /// or milliseconds since 1970, as a number or its decimal text; `nil` for any other value.
    ///
    /// Without an offset a text is no date: its writer means the time of a place that it does not name. A number before
    /// 2001 is none either, but probably a duration.
    package var date: Date? {
        decimal.flatMap(Self.date(since1970:)) ?? string.flatMap(Self.date(iso8601:))
    }

    private static func date(since1970 number: Double) -> Date? {
        // Seconds until the year 5138, milliseconds from 1973 on.
        let seconds = abs(number) < 1e11 ? number : number / 1000
        guard seconds.isFinite, (1e9..<1e11).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    private static func date(iso8601 text: String) -> Date? {
        // Java leaves out seconds that are zero, and adds the name of the zone in brackets.
        let pattern =
            /([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?([.,][0-9]+)?([Zz]|[-+][0-9]{2}(:?[0-9]{2})?)(\[[^\]]*\])?/
        guard let parts = text.wholeMatch(of: pattern)?.output else { return nil }
        var offset = parts.5.uppercased().replacing(":", with: "")
        if offset.count == 3 { offset += "00" }
        let whole = "\(parts.1)T\(parts.2)\(parts.3 ?? ":00")\(offset)"
        let fraction = parts.4.flatMap { Double("0.\($0.dropFirst())") } ?? 0
        return (try? Date(whole, strategy: .iso8601))?.addingTimeInterval(fraction)
    }

    /// How long a JSON Web Token with these claims is valid in all: `exp` − `iat`, a difference, since clocks may be wrong.
    /// `nil` unless it expires after it was issued.
    package var tokenLifetime: Duration? {
        guard let issued = self["iat"]?.decimal, let expires = self["exp"]?.decimal, expires > issued else {
            return nil
        }
        return AuthJSON.number(expires - issued).lifetime
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
        // An array, because the bytes of `Data` are slow to read one by one.
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

/// Members by their paths: names joined by dots, each of which leads into an object. A number leads into an array.
extension AuthJSON {
    /// The text form of a string, a whole number or a boolean; `nil` for an empty string and for any other value.
    var word: String? {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        default: text
        }
    }

    /// Returns the member at a path; `nil` if it is absent or a part of the path leads nowhere. An empty path is the
    /// value itself.
    func member(at path: String) -> AuthJSON? {
        var value = self
        for name in path.split(separator: ".") {
            guard let member = value[String(name)] ?? value.element(String(name)) else { return nil }
            value = member
        }
        return value
    }

    private func element(_ place: String) -> AuthJSON? {
        guard let array, let index = Int(place), array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension [String: AuthJSON] {
    /// Adds a member at a path, with the objects that lead to it. A member that is already there stays.
    mutating func add(_ path: String, _ value: AuthJSON) { add(path.split(separator: ".")[...], value) }

    private mutating func add(_ path: ArraySlice<Substring>, _ value: AuthJSON) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else {
            if self[name] == nil { self[name] = value }
            return
        }
        guard var members = (self[name] ?? [:]).object else { return }
        members.add(path.dropFirst(), value)
        self[name] = .object(members)
    }
}
