import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request in progress: the part of the response that has arrived, and the outcome.
final class URLSessionExchange: Sendable {
    private struct Received {
        var head: (status: Int, headers: [HeaderName: String])?
        var body = Data()
    }
    private let received = Lock(Received())
    private let maximumBytes: Int
    /// The outcome. Only the first one counts.
    let outcome = Promise<Result<AuthHTTPResponse, AuthError>>()

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Receives the head of the response.
    ///
    /// - Returns: Whether to continue reading.
    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            return fail(AuthError(.invalidResponse, "What answered does not speak HTTP. Check the URL."))
        }
        guard response.expectedContentLength <= Int64(maximumBytes) else { return failTooLarge() }
        var headers: [HeaderName: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[HeaderName(name)] = value
        }
        let head = (response.statusCode, headers)
        received.withLock { $0.head = head }
        return outcome.current == nil
    }

    /// Receives a part of the body.
    ///
    /// - Returns: Whether to continue reading.
    func receive(_ data: Data) -> Bool {
        let fits = received.withLock { received in
            guard received.body.count + data.count <= maximumBytes else {
                received.body = Data()
                return false
            }
            received.body.append(data)
            return true
        }
        return fits ? outcome.current == nil : failTooLarge()
    }

    /// Ends the transfer.
    func complete(with error: (any Error)?) {
        if let error {
            fail(AuthError(transportFailure: error))
            return
        }
        let response = received.withLock { received in
            received.head.map { AuthHTTPResponse(status: $0.status, headers: $0.headers, body: received.body) }
        }
        guard let response else {
            fail(AuthError(.network, "The connection ended before an answer came. Try again."))
            return
        }
        outcome.resolve(.success(response))
    }

    /// Ends the exchange. Returns `false`: stop reading.
    @discardableResult
    func fail(_ error: AuthError) -> Bool {
        outcome.resolve(.failure(error))
        return false
    }

    private func failTooLarge() -> Bool { fail(.tooLarge(limit: maximumBytes)) }
}

extension AuthError {
    /// Makes the error for a body that is larger than the request accepts.
    ///
    /// - Parameter limit: The request's limit, in bytes.
    package static func tooLarge(limit: Int) -> Self {
        AuthError(
            .invalidResponse,
            """
            The answer is larger than the \(limit) bytes that the request's maximumResponseBytes accepts. Check that the URL \
            is the right one, or give the request a larger maximumResponseBytes.
            """)
    }

    /// Makes the error for a failure of `URLSession`.
    init(transportFailure error: any Error) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .timedOut:
            self.init(.timedOut, "No answer came in time. Check the connection and try again.", cause: error)
        default: self.init(.network, Self.explanation(of: error as? URLError), cause: error)
        }
    }

    private static func explanation(of error: URLError?) -> String {
        switch error?.code {
        case .cannotFindHost, .dnsLookupFailed:
            "No address was found for the host's name. Check the name in the URL, and the device's connection."
        case .cannotConnectToHost:
            "The host could not be connected to. Check that the server runs, its port in the URL, and firewalls."
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
            .clientCertificateRequired:
            insecure
        // FoundationNetworking has no code of its own for a failed handshake.
        case .unknown where error?.failingURL?.scheme?.lowercased() == "https": insecure
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            "The device has no connection to the network, or this app may not use it. Try again when it has."
        default: "No complete answer came: the connection ended before. Try again."
        }
    }

    private static let insecure = """
        No secure connection was made. Check that the host's certificate is valid now, names this host and is issued by an \
        authority that the system trusts, and that the device's date is right.
        """
}
