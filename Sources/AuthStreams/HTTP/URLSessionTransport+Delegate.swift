import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the session's callbacks to the exchange they belong to.
///
/// It references exchanges and never the transport, so the session, which retains its delegate, does not keep a
/// transport alive.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Lock<[Int: URLSessionExchange]>([:])
    let invalidated = Promise<Void>()

    var exchangeCount: Int { exchanges.withLock { $0.count } }

    func register(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if AUTH_DARWIN
            completionHandler(nil)
        #else
            // FoundationNetworking crashes if the handler is called after the task was cancelled, so it is not called:
            // the head of a redirect is the response, and the task is cancelled, with the body.
            if let exchange = exchange(of: task), exchange.receive(response) { exchange.complete(with: nil) }
            task.cancel()
        #endif
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(of: dataTask)?.receive(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
        // FoundationNetworking ignores the disposition and continues to read.
        if !goesOn { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let goesOn = exchange(of: dataTask)?.receive(data) ?? false
        if !goesOn { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(with: error)
    }

    #if !AUTH_DARWIN
        // FoundationNetworking asks for a password after a 401 with a Basic challenge, and without one never ends the
        // task. Elsewhere the default handling returns the 401.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            exchange(of: task)?.complete(with: nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }

        // Called before a body is sent a second time, over a new connection. Without a stream FoundationNetworking
        // sends only the head.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            exchange(of: task)?.fail(
                AuthError(.network, "The connection ended before an answer came. Try again."))
            completionHandler(nil)
        }
    #endif

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        invalidated.resolve(())
    }
}
