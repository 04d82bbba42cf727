import AuthStreams

extension AuthJSON {
    /// Names and types, without the values: strings, numbers and booleans are only that.
    var shape: AuthJSON {
        switch self {
        case .null: .null
        case .bool: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .array(let elements): .array(elements.map(\.shape))
        case .object(let members): .object(members.mapValues(\.shape))
        }
    }
}
