#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension AuthHTTPRequest {
    /// Makes a request from Foundation's, such as one that other code of the app made.
    ///
    /// Cache policy, cookies and network service type have no counterpart and are dropped.
    ///
    /// - Parameters:
    ///   - request: Its `timeoutInterval` becomes ``timeout``; if that is not positive, Foundation's default of 60
    ///     seconds.
    ///   - maximumResponseBytes: The largest body that is accepted; 64 MiB unless given, as much as an app's server may
    ///     return.
    /// - Throws: `misconfigured` if there is no URL, or the body is a stream, which cannot be sent twice.
    public init(_ request: URLRequest, maximumResponseBytes: Int = 64 << 20) throws(AuthError) {
        guard let url = request.url else {
            throw AuthError(.misconfigured, "A request has no URL. Give it one.")
        }
        guard request.httpBodyStream == nil else {
            throw AuthError(
                .misconfigured, "The body of a request is a stream, which cannot be sent a second time. Use `httpBody`."
            )
        }
        let headers = (request.allHTTPHeaderFields ?? [:]).map { (HeaderName($0.key), $0.value) }
        self.init(
            Method(rawValue: request.httpMethod ?? "GET"), url,
            headers: Dictionary(headers) { first, second in "\(first), \(second)" }, body: request.httpBody,
            timeout: Self.limit(request.timeoutInterval), maximumResponseBytes: maximumResponseBytes)
    }

    // `Duration` traps on a value that it cannot represent.
    private static func limit(_ interval: TimeInterval) -> Duration {
        interval > 0 ? .seconds(min(interval, TimeInterval(Int32.max))) : .seconds(60)
    }
}
