extension HTTPRequest {
    /// The request with a token (RFC 6750 section 2.1).
    ///
    /// - Throws: `invalidResponse` when the token cannot stand in a header field, where a line break would begin another.
    func authorized(with token: Secret) throws(AuthError) -> HTTPRequest {
        let text = token.reveal()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidResponse,
                "The access token is empty or has characters that no header field takes. Check what the server issues.")
        }
        var request = self
        request.headers[.authorization] = "Bearer \(text)"
        return request
    }
}
