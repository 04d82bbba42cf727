import Foundation

extension AuthHTTPRequest {
    /// Checks that every transport can send the request as it is.
    ///
    /// Transports call this first, so that a line break in a header field never ends the field early or begins another
    /// one.
    ///
    /// - Throws: ``AuthError`` with code `misconfigured` if the URL is not http or https with a host, the method or the
    ///   name of a header field is not a token (RFC 9110 section 5.6.2), or the value of a field has a control character
    ///   other than a tab (RFC 9110 section 5.5); with code `timedOut` if ``timeout`` is zero or less. The explanation has no
    ///   value of a field.
    public func validate() throws(AuthError) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else {
            throw AuthError(.misconfigured, "The URL of a request is not http or https with a host. Correct it.")
        }
        guard Self.isToken(method.rawValue) else {
            throw AuthError(
                .misconfigured, "The method of a request is empty or has a character that no method has. Correct it.")
        }
        for (name, value) in headers {
            guard Self.isToken(name.canonical) else { throw Self.refusal(ofName: name) }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
                throw AuthError(
                    .misconfigured,
                    "The value of the header field '\(name.canonical)' has a control character, such as a line break, so "
                        + "nothing was sent. Remove it where the value is made.")
            }
        }
        guard timeout > .zero else {
            throw AuthError(.timedOut, "A request had no time left, so nothing was sent. Give it a timeout above zero.")
        }
    }

    /// Makes the error of a name that is not a token. Only its beginning is shown: the rest may be a value that was
    /// written into the name.
    private static func refusal(ofName name: HeaderName) -> AuthError {
        let beginning = String(decoding: name.canonical.utf8.prefix(while: isTokenCharacter), as: UTF8.self)
        let found = beginning.isEmpty ? "is empty or begins with" : "begins with '\(beginning)' and continues with"
        return AuthError(
            .misconfigured,
            "The name of a header field \(found) a character that no name has, so nothing was sent. Write the name alone, "
                + "without a colon, space or line break.")
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
