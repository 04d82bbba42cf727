extension AuthService {
    /// Sends a request to one of the app's servers with the access token; see ``AuthorizedClient`` for the rules.
    ///
    /// - Returns: The answer, whatever its status. 401 only after a new token was refused, too, or could not make a
    ///   difference.
    /// - Throws: ``AuthError``; `misconfigured` before anything is sent when the request goes anywhere else than to the
    ///   servers of the initializer's `api`; `notSignedIn` when no user is signed in.
    public func data(for request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        guard let client else {
            throw AuthError(
                .misconfigured,
                "The service was not told which servers the access token is for. Give its initializer an `api`.")
        }
        return try await client.data(for: request)
    }
}
