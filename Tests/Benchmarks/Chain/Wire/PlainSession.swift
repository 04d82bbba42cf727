import AuthStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by `URLSession` alone: one session for everything, no limits and no checks.
final class PlainSession: HTTPTransport {
    private let session: URLSession
    private let exchanges = PlainExchanges()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        // Every call is to be made.
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session holds its delegate until it is told to stop.
    deinit { session.invalidateAndCancel() }

    /// Sends a request as apps do.
    func data(for request: URLRequest) async throws -> (Data, URLResponse) { try await session.data(for: request) }

    /// Sends a request of the scripted person, who follows redirects step by step; on Linux `data(for:)` asks nobody
    /// whether to.
    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        var plain = URLRequest(url: request.url)
        plain.httpMethod = request.method.rawValue
        plain.httpBody = request.body
        for (name, value) in request.headers { plain.setValue(value, forHTTPHeaderField: name.canonical) }
        let task = session.dataTask(with: plain)
        let body = await withCheckedContinuation { continuation in
            exchanges.begin(task.taskIdentifier, continuation)
            task.resume()
        }
        guard let head = task.response as? HTTPURLResponse else { throw AuthError(.network, "No answer came.") }
        var headers: [HeaderName: String] = [:]
        for case (let name as String, let value as String) in head.allHeaderFields { headers[HeaderName(name)] = value }
        return HTTPResponse(status: head.statusCode, headers: headers, body: body)
    }
}

/// Gathers the bodies of tasks, and refuses their redirects.
private final class PlainExchanges: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        let continuation: CheckedContinuation<Data, Never>
        var body = Data()
    }
    private let exchanges = Guarded<[Int: Exchange]>([:])

    func begin(_ task: Int, _ continuation: CheckedContinuation<Data, Never>) {
        exchanges.withLock { $0[task] = Exchange(continuation: continuation) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0[dataTask.taskIdentifier]?.body.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.continuation.resume(returning: exchange?.body ?? Data())
    }
}
