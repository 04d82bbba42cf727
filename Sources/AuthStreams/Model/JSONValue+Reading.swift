package import Foundation

extension JSONValue {
    /// How deep arrays and objects of a text that comes from elsewhere may be nested.
    package static let maximumDepth = 64

    /// Reads JSON that comes from elsewhere.
    ///
    /// Decoding takes stack for each level. A text that is nested deeper than ``maximumDepth`` is refused before it is
    /// decoded, so it cannot overflow a small stack.
    ///
    /// - Returns: `nil` for a text that is no JSON, or is nested deeper.
    package init?(json text: Data) {
        guard Self.depth(of: text) <= Self.maximumDepth,
            let value = try? JSONDecoder().decode(JSONValue.self, from: text)
        else { return nil }
        self = value
    }

    /// How deep brackets outside of strings are nested. What is no JSON in UTF-8 has some depth as well.
    private static func depth(of text: Data) -> Int {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in text {
            switch byte {
            // Another encoding, which the decoder would read.
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
    /// The string, unless it is empty: servers write both for 'none'.
    package var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}
