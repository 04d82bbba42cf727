package import Foundation

extension JSONValue {
    /// The maximum nesting depth of arrays and objects in received JSON.
    package static let maximumDepth = 64

    /// Reads received JSON.
    ///
    /// Decoding takes stack for each level. A text that is nested deeper than ``maximumDepth`` is refused before it is
    /// decoded, so it cannot overflow a small stack.
    ///
    /// - Returns: `nil` if the text is not JSON or is nested too deeply.
    package init?(json text: Data) {
        guard Self.depth(of: text) <= Self.maximumDepth,
            let value = try? JSONDecoder().decode(JSONValue.self, from: text)
        else { return nil }
        self = value
    }

    /// The nesting depth of the brackets outside strings. Text that is not JSON has a depth as well.
    private static func depth(of text: Data) -> Int {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in text {
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

extension JSONValue {
    /// The string; `nil` if it is empty, because servers also write an empty string for 'none'.
    package var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// How long a token is valid, read leniently from a number of seconds; `nil` unless it is 1 second to 365 days.
    ///
    /// A longer time is a date in place of a duration, or a mistake. A token that counts as valid for so long would
    /// never be refreshed.
    package var lifetime: Duration? {
        guard let seconds = lenientInteger, (1...31_536_000).contains(seconds) else { return nil }
        return .seconds(seconds)
    }
}
