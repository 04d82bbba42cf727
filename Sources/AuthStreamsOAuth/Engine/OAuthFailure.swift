public import AuthStreams

/// An error answer of a provider, before it becomes an `AuthError` (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// Only a provider's dialect reads the description. The server writes it, it may quote the request, and it is never
/// copied into an error.
public struct OAuthFailure: Sendable {
    /// Translates a provider's own errors; `nil` leaves the error to ``standard``.
    ///
    /// Called for each callback and each answer of the token endpoint with an `error`; its result gets the server's code,
    /// unless it has one. Also called, with an empty ``error``, if the token endpoint refuses by its status and a JSON
    /// object without `error`, as Kakao does with numbers. 429 and 5xx keep their meaning: they take only the server's code
    /// from its result.
    public typealias Dialect = @Sendable (OAuthFailure) -> AuthError?

    /// Where an error came from, which determines the meaning of some codes.
    public enum Origin: Sendable {
        /// The redirect back from the authorization page.
        case callback
        /// The token endpoint, or another endpoint that the app calls itself.
        case endpoint(status: Int)
    }

    /// Where the error came from.
    public let origin: Origin
    /// The `error` code, at most 64 characters of letters, digits, dot, underscore and hyphen; empty for an answer of the
    /// token endpoint without one.
    public let error: String
    /// The server's description. Never shown, logged or kept.
    public let errorDescription: String?
    /// The other members, such as Kakao's `error_code`.
    public let members: [String: JSONValue]

    /// Makes the failure of an error answer.
    ///
    /// - Parameters:
    ///   - origin: Where the error came from.
    ///   - error: The `error` code, as the server sent it.
    ///   - members: All members of the answer.
    public init(origin: Origin, error: String, members: [String: JSONValue]) {
        self.origin = origin
        self.error = Self.sanitized(error)
        self.errorDescription = members["error_description"]?.string
        self.members = members
    }

    /// Returns a server's code in a form that is safe in an error: a short plain word.
    public static func sanitized(_ code: String) -> String {
        String(code.unicodeScalars.prefix(64).map { isPlain($0) ? Character($0) : "_" })
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_", ".", "-": true
        default: false
        }
    }

    /// Returns the error of this answer in the given dialect, with the server's code.
    public func authError(_ dialect: Dialect) -> AuthError {
        var result = dialect(self) ?? standard
        result.serverCode = result.serverCode ?? error
        return result
    }
}

extension OAuthFailure: CustomStringConvertible, CustomReflectable {
    /// The sanitized code alone.
    public var description: String { error }
    /// A mirror without children, because a server may quote what it was sent.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
