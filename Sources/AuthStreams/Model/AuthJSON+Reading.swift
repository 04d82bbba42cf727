package import Foundation

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
}
