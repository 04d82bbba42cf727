package import Foundation

extension AuthJSON {
    /// Returns the value as the body of a request, members in alphabetic order.
    ///
    /// - Throws: `misconfigured` if it contains a number that is infinite or not a number, which JSON cannot represent.
    package func encoded() throws(AuthError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(self) } catch {
            throw AuthError(.misconfigured, "The request has a number that JSON cannot express.", cause: error)
        }
    }
}

extension AuthJSON? {
    /// The token; `nil` if it is absent, null or an empty string.
    ///
    /// A token is printable ASCII (RFC 6749 appendices A.12 and A.17). A line break in it would end the header field that it is
    /// sent in.
    ///
    /// - Parameter name: The member's name, which the error names; it never shows the value.
    /// - Throws: `invalidResponse`.
    package func token(named name: String) throws(AuthError) -> Secret? {
        switch self {
        case nil, .null, .string(""): return nil
        case .string(let text)
        where text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) && text.contains(where: { $0 != " " }):
            return Secret(text)
        default:
            throw AuthError(
                .invalidResponse,
                "The answer's '\(name)' is not a token, which is a string of printable ASCII characters.")
        }
    }
}
