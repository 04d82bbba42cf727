/// Sends one request and returns the response.
///
/// ## What an implementation promises
///
/// - It sends nothing for a request that is not valid, and throws what ``AuthHTTPRequest/validate()`` throws.
/// - It follows no redirect: a 3xx is returned, so that no token reaches another server.
/// - It reads no more than ``AuthHTTPRequest/maximumResponseBytes`` and fails with `invalidResponse` beyond that.
/// - It throws `cancelled` promptly when its task is cancelled, `timedOut` past the time limit, `network` if no
///   response arrived.
/// - It returns a response with any status.
public protocol AuthHTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Throws: ``AuthError`` with code `network`, `timedOut`, `cancelled` or `invalidResponse`, and what
    ///   ``AuthHTTPRequest/validate()`` throws.
    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse
}
