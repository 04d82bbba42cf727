import AuthStreams
import Foundation

extension AuthJSON {
    /// A date as JSON Web Tokens write it: seconds since 1970 (RFC 7519 section 2).
    static func seconds(_ date: Date) -> AuthJSON { .integer(Int64(date.timeIntervalSince1970)) }

    /// A list of strings.
    static func strings(_ values: [String]) -> AuthJSON { .array(values.map(AuthJSON.string)) }
}

extension [String: AuthJSON] {
    /// Adds a member if there is a value.
    mutating func add(_ name: String, _ text: String?) {
        self[name] = text.map(AuthJSON.string)
    }
}
