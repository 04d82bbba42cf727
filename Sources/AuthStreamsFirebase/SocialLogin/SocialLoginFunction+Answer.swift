public import AuthStreams

extension SocialLoginFunction.Format {
    /// The place of a custom token in a function's result.
    public struct Answer: Equatable, Sendable {
        let path: [String]

        /// The result is the token.
        public static let string = Self(path: [])

        /// The result is an object with the token as a member, or deeper.
        ///
        /// - Parameter path: The member's name, or the names on the way to it: `.member("data", "token")`.
        public static func member(_ path: String...) -> Self { Self(path: path) }

        /// Returns a function's result with the token at the format's path.
        package func result(_ token: AuthJSON) -> AuthJSON {
            path.reversed().reduce(token) { .object([$1: $0]) }
        }
    }

    /// Reads the custom token from a function's result, as Firebase's SDK returns it (`HTTPSCallableResult.data`).
    ///
    /// - Throws: `AuthError` with code `invalidCustomToken` if there is none at the format's path.
    public func customToken(in result: Any?) throws(AuthError) -> Secret {
        var value = result
        for name in answer.path { value = (value as? [String: Any])?[name] }
        return try customToken(value as? String)
    }

    func customToken(in result: AuthJSON) throws(AuthError) -> Secret {
        try customToken(answer.path.reduce(result) { $0?[$1] }?.string)
    }

    private func customToken(_ text: String?) throws(AuthError) -> Secret {
        guard let text, !text.isEmpty else {
            let place = answer.path.isEmpty ? "is no string" : "has no '\(answer.path.joined(separator: "."))'"
            throw AuthError(
                .invalidCustomToken,
                "The function's result \(place) that is a custom token. Compare the function with the format's answer.")
        }
        return Secret(text)
    }
}
