#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension AuthService {
    /// Sends a request to one of the app's servers with the access token; see ``AuthorizedClient`` for the rules.
    ///
    /// - Returns: The response with any status. It has 401 only if a new token was refused, too, or would not help.
    /// - Throws: ``AuthError``; `misconfigured` before anything is sent if the service has no `api`, the request's
    ///   server is not among those of `api`, or it has an `Authorization` field; what ``HTTPRequest/validate()`` throws;
    ///   `notSignedIn` if no user is signed in.
    public func data(for request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        guard let client else {
            throw AuthError(
                .misconfigured,
                "The service was not told which servers the access token is for. Give its initializer an `api`.")
        }
        return try await client.data(for: request)
    }

    /// Sends a request of Foundation with the access token.
    public func data(for request: URLRequest) async throws(AuthError) -> HTTPResponse {
        try await data(for: HTTPRequest(request))
    }
}
