import AuthStreams
import Foundation

extension JSONValue {
    /// A date as JSON Web Tokens write it: seconds since 1970 (RFC 7519 section 2).
    static func seconds(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970)) }

    /// A list of strings.
    static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}

extension [String: JSONValue] {
    /// Adds a member if there is a value.
    mutating func add(_ name: String, _ text: String?) {
        self[name] = text.map(JSONValue.string)
    }
}
