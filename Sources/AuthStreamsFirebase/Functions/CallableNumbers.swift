import AuthStreams

/// Integers that a JavaScript number cannot hold, in the wrapper that callable functions use.
///
/// ```
/// {"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9007199254740993"}
/// ```
enum CallableNumbers {
    private static let int64 = "type.googleapis.com/google.protobuf.Int64Value"
    private static let uint64 = "type.googleapis.com/google.protobuf.UInt64Value"
    private static let exactInJavaScript: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

    static func wrapped(_ value: AuthJSON) -> AuthJSON {
        switch value {
        case .integer(let number) where !exactInJavaScript.contains(number):
            ["@type": .string(int64), "value": .string("\(number)")]
        case .array(let elements): .array(elements.map(wrapped))
        case .object(let members): .object(members.mapValues(wrapped))
        default: value
        }
    }

    /// Returns the value with plain numbers; a number beyond `Int64` becomes its decimal string.
    static func unwrapped(_ value: AuthJSON) throws(AuthError) -> AuthJSON {
        switch value {
        case .array(let elements):
            var result: [AuthJSON] = []
            for element in elements { result.append(try unwrapped(element)) }
            return .array(result)
        case .object(let members):
            if let type = members["@type"]?.string, type == int64 || type == uint64 {
                return try number(members["value"]?.string, type: type)
            }
            var result: [String: AuthJSON] = [:]
            for (name, member) in members { result[name] = try unwrapped(member) }
            return .object(result)
        default: return value
        }
    }

    private static func number(_ text: String?, type: String) throws(AuthError) -> AuthJSON {
        if let text, let number = Int64(text), type == int64 || number >= 0 { return .integer(number) }
        if let text, type == uint64, let number = UInt64(text) { return .string("\(number)") }
        throw AuthError(.invalidResponse, "The function's result has a wrapped number that is none.")
    }
}
