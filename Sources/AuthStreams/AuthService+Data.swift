#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension AuthService {
    /// Sends a request to one of the app's servers with the access token.
    ///
    /// ```swift
    /// let answer = try await auth.data(for: URLRequest(url: url))
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | which requests? | those to the servers of ``APIAccess``; every other one is refused with `misconfigured` before anything is asked or sent |
    /// | what is added? | `Authorization: Bearer …` (RFC 6750 section 2.1). A request that has such a field already is refused, too: it was written to be sent as it is |
    /// | a token that is bound to a key (RFC 9449) | `Authorization: DPoP …`, and a proof of the key in the field `DPoP`. A request that the server refused for want of its nonce is sent once more |
    /// | an expired token | is refreshed first, once for all callers |
    /// | 401 | one refresh, shared by all callers, and one repetition. The response to that is returned as it is, 401 included |
    /// | 401 to every request | costs one refresh for each server, however many callers there are: until that server has accepted a newer token, its 401 is returned without another |
    /// | 401 to every request for one path, and not for another | costs one refresh a minute at most |
    /// | 401 with `insufficient_user_authentication` (RFC 9470) | the person is asked once for all requests, as by ``reauthenticate(with:using:_:)`` with the server's `acr_values` and `max_age`; then each request is sent once more, and that response returned |
    /// | another user signed in meanwhile | the 401 is returned as it is: no request is repeated with another user's token |
    /// | redirects | are answers, and returned, on Linux without a body; the token does not follow them |
    /// | the task is cancelled | `cancelled` at once; a refresh under way continues |
    /// | how large may the body of the response be? | ``AuthHTTPRequest/maximumResponseBytes``; for a request of Foundation 64 MiB unless given |
    /// | how long? | ``AuthHTTPRequest/timeout`` counts for each of the two requests, and not for the refresh |
    ///
    /// - Returns: The response with any status. It has 401 only if a new token was refused, too, or would not help.
    /// - Throws: ``AuthError``; `misconfigured` before anything is sent if the service has no `api`, the request's server is not
    ///   among those of `api`, or it has an `Authorization`, `DPoP` or `Host` field of its own; what ``AuthHTTPRequest/validate()`` throws;
    ///   `notSignedIn` if no user is signed in; what ``RefreshSession`` throws where a refresh is needed, and what the transport
    ///   throws. For a token that is bound to a key, also `sessionExpired` if the key is lost, which ends the session; `storageLocked` or
    ///   `storage` if it cannot be used for now; and `invalidCredential` if the server demands a nonce again. Where the server wants
    ///   another authentication, also what ``reauthenticate(with:using:_:)`` throws, such as `cancelled`.
    public func data(for request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        try await AuthError.during(.request) { () throws(AuthError) in
            guard let client else {
                throw AuthError(
                    .misconfigured,
                    "The service was not told which servers the access token is for. Give its initializer an `api`.")
            }
            return try await client.data(for: request)
        }
    }

    /// Sends a request of Foundation with the access token.
    ///
    /// - Parameters:
    ///   - request: The request. Its body must be `httpBody`; see ``AuthHTTPRequest/init(_:maximumResponseBytes:)``.
    ///   - maximumResponseBytes: The largest body that is accepted; 64 MiB unless given. A larger response fails with
    ///     `invalidResponse`.
    /// - Returns: As of ``data(for:)``.
    /// - Throws: As ``data(for:)``; `misconfigured` for a request without a URL, or whose body is a stream.
    public func data(
        for request: URLRequest, maximumResponseBytes: Int = 64 << 20
    ) async throws(AuthError) -> AuthHTTPResponse {
        try await AuthError.during(.request) { () throws(AuthError) in
            try await data(for: AuthHTTPRequest(request, maximumResponseBytes: maximumResponseBytes))
        }
    }
}
