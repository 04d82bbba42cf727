/// Sends one request and returns the answer: the seam to the network.
///
/// ## What an implementation promises
///
/// - It follows no redirect: a 3xx is returned, so that no token travels to another place.
/// - It reads no more than ``HTTPRequest/maximumResponseBytes`` and fails with `invalidResponse` beyond that.
/// - It ends promptly with `cancelled` when its task is cancelled, `timedOut` past the time limit, `network` when no
///   answer came.
/// - An answer is an answer, whatever its status.
public protocol HTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Throws: ``AuthError`` with code `network`, `timedOut`, `cancelled` or `invalidResponse`.
    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse
}
