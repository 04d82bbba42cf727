package import AuthStreams
package import Foundation
package import LoopbackHTTP

extension AuthJSON {
    /// A date as JSON Web Tokens write it: seconds since 1970 (RFC 7519 section 2).
    static func seconds(_ date: Date) -> AuthJSON { .integer(Int64(date.timeIntervalSince1970)) }

    /// A list of strings.
    static func strings(_ values: [String]) -> AuthJSON { .array(values.map(AuthJSON.string)) }

    /// A string as it is, every other value as JSON text.
    var words: String { string ?? String(decoding: data, as: UTF8.self) }

    /// The value as JSON text, members in alphabetic order.
    package var data: Data { (try? encoded()) ?? Data() }
}

extension [String: AuthJSON] {
    /// Adds a member if there is a value.
    mutating func add(_ name: String, _ text: String?) {
        self[name] = text.map(AuthJSON.string)
    }
}

extension LoopbackResponse {
    /// Returns a JSON answer, members in alphabetic order.
    package static func json(_ value: AuthJSON, status: Int = 200) -> Self { .json(value.data, status: status) }

    /// An error in the form of RFC 6749 section 5.2.
    package static func oauthError(_ code: String, _ description: String? = nil, status: Int = 400) -> Self {
        var members: [String: AuthJSON] = ["error": .string(code)]
        members["error_description"] = description.map(AuthJSON.string)
        return .json(.object(members), status: status)
    }

    /// 405 with the allowed method (RFC 9110 section 15.5.6). Where GET is allowed, HEAD is.
    package static func methodNotAllowed(_ allowed: String) -> Self {
        Self(status: 405, headers: [("Allow", allowed == "GET" ? "GET, HEAD" : allowed)])
    }
}
