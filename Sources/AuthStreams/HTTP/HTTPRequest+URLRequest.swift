#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension HTTPRequest {
    /// Takes over a request in Foundation's words, such as one that other code of the app made.
    ///
    /// What has no counterpart here is left behind: cache policy, cookies, network service type.
    ///
    /// - Parameters:
    ///   - request: Its `timeoutInterval` becomes ``timeout``; where it is no positive number, Foundation's own 60 seconds.
    ///   - maximumResponseBytes: The largest body that is accepted; 1 MiB unless given.
    /// - Throws: `misconfigured` when there is no URL, or the body is a stream, which could not be sent twice.
    public init(_ request: URLRequest, maximumResponseBytes: Int = 1 << 20) throws(AuthError) {
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

    // `Duration` traps on what it cannot hold.
    private static func limit(_ interval: TimeInterval) -> Duration {
        interval > 0 ? .seconds(min(interval, TimeInterval(Int32.max))) : .seconds(60)
    }
}
