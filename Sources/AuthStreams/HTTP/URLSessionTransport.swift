import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport that apps use: HTTP over one `URLSession`.
///
/// Connections are kept alive and shared by all requests of one transport, so make one and share it. On Linux only
/// connections of `GET` are, because a request on a reused connection may be sent twice there. The transport keeps no
/// cookies, no cache and no credentials, follows no redirect, and reads no body beyond the request's limit: it cancels
/// the transfer as soon as the body, or its announced length, exceeds the limit.
///
/// | question | answer |
/// | --- | --- |
/// | what is an answer? | every response with a status: redirects, 401 with a challenge and 5xx are returned, not thrown; on Linux a redirect has no body |
/// | how long does it wait? | ``AuthHTTPRequest/timeout`` from sending to the last byte, by the clock of the initializer |
/// | what if the task is cancelled? | `cancelled` at once; an answer that was complete before wins |
/// | and what was not sent yet? | is not sent; on Linux, after a cancellation or a timeout, it may still be sent within a second |
/// | what if it fails? | `network`, with domain, code and URL without query as the cause |
/// | which answer cannot be refused? | on Linux, one whose `Content-Length` is from 9223372036854775296 to 9223372036854775807 ends the process: FoundationNetworking traps on it before it calls a delegate |
/// | when does it end? | with the last reference to it; requests in progress hold one, until they are cancelled |
public final class URLSessionTransport: AuthHTTPTransport {
    private let shared = PooledSession()
    #if !AUTH_DARWIN
        let sessionPool = SessionPool()
    #endif
    private let clock: AuthClock

    /// Makes a transport with a session of its own.
    ///
    /// - Parameter clock: Measures ``AuthHTTPRequest/timeout``.
    public init(clock: AuthClock = .system) {
        self.clock = clock
    }

    // A session retains its delegate until it is invalidated.
    deinit {
        shared.end()
        #if !AUTH_DARWIN
            sessionPool.end()
        #endif
    }

    /// Resolved once the session has released its delegate.
    package var invalidated: Promise<Void> { shared.delegate.invalidated }

    /// The number of requests that the session has not finished.
    var openExchangeCount: Int { shared.delegate.exchangeCount }

    /// Whether a request has made the session.
    var hasSession: Bool { shared.isMade }

    /// Sends a request.
    ///
    /// - Throws: ``AuthError`` with code `network`, `timedOut`, `cancelled` or `invalidResponse`; `misconfigured` if
    ///   the request is not valid (``AuthHTTPRequest/validate()``), or on Linux if a proxy of the environment would receive a
    ///   plain http request for this machine.
    public func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        try request.validate()
        #if !AUTH_DARWIN
            if let variable = LoopbackProxy.variable(leadingAway: request.url) {
                throw .leavesThisMachine(by: variable)
            }
            if request.method != .get { return try await sendOnce(request) }
        #endif
        return try await send(URLRequest(request), of: request, over: shared)
    }

    #if !AUTH_DARWIN
        // On Linux libcurl sends a request a second time if a reused connection closes without a response. A code or a
        // refresh token must never be sent twice, so a request that is not safe to repeat (RFC 9110 section 9.2.2) gets
        // a new connection. Its session may be a reused one if it has a body, because the delegate does not send a body
        // again.
        private func sendOnce(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            var plain = URLRequest(request)
            // RFC 9112 section 9.6: the server closes the connection after the response.
            plain.setValue("close", forHTTPHeaderField: "Connection")
            let mayShare = request.body?.isEmpty == false
            let pooled = (mayShare ? sessionPool.take() : nil) ?? PooledSession()
            let response: AuthHTTPResponse
            do throws(AuthError) { response = try await send(plain, of: request, over: pooled) } catch {
                pooled.end()
                throw error
            }
            if mayShare, response.endedItsConnection {
                sessionPool.put(pooled)
            } else {
                pooled.end()
            }
            return response
        }
    #endif

    private func send(
        _ plain: URLRequest, of request: AuthHTTPRequest, over pooled: PooledSession
    ) async throws(AuthError) -> AuthHTTPResponse {
        let exchange = URLSessionExchange(maximumBytes: request.maximumResponseBytes)
        let task = pooled.session.dataTask(with: plain)
        pooled.delegate.register(exchange, for: task)
        task.resume()

        let outcome = await outcome(of: exchange, within: request.timeout)
        guard case .success(let response)? = outcome else {
            // The first byte that arrives later ends the task, too.
            exchange.fail(.cancelled)
            task.cancelAfterConnecting()
            guard case .failure(let error)? = outcome else { throw .cancelled }
            throw error
        }
        return response
    }

    /// Returns the outcome, `timedOut` past the limit, `nil` if this task is cancelled.
    private func outcome(
        of exchange: URLSessionExchange, within limit: Duration
    ) async -> Result<AuthHTTPResponse, AuthError>? {
        // Never awaited: it is cancelled at the end of the scope.
        async let _: Void = Self.expire(exchange, after: limit, clock: clock)
        return await exchange.outcome.value()
    }

    private static func expire(_ exchange: URLSessionExchange, after limit: Duration, clock: AuthClock) async {
        do { try await clock.sleep(for: limit) } catch { return }
        exchange.fail(
            AuthError(.timedOut, "No complete answer came within \(limit). Check the connection and try again."))
    }
}

/// A session with its delegate.
///
/// The session is made at the first request: on Linux that takes longer than the start of a program that sends none.
final class PooledSession: Sendable {
    let delegate = URLSessionTransportDelegate()
    private let made = Lock<URLSession?>(nil)

    var isMade: Bool { made.withLock { $0 != nil } }

    var session: URLSession {
        made.withLock { made in
            let session = made ?? URLSession(configuration: .bare, delegate: delegate, delegateQueue: nil)
            made = session
            return session
        }
    }

    /// Invalidates the session. Requests in progress end first.
    func end() {
        guard let session = made.withLock({ $0 }) else {
            delegate.invalidated.resolve(())
            return
        }
        session.finishTasksAndInvalidate()
    }
}

extension URLSessionTask {
    /// Cancels the task; on Linux a second later.
    ///
    /// libcurl closes the socket of a connection that is not yet established without calling Foundation, which has a Dispatch
    /// source for it. Dispatch then reports no events of the next file or socket with the same number, in the whole process.
    /// Most connections are established or refused within a second. A host that does not answer at all is not covered.
    func cancelAfterConnecting() {
        #if AUTH_DARWIN
            cancel()
        #else
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.cancel() }
        #endif
    }
}

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

extension URLRequest {
    /// Makes Foundation's request.
    init(_ request: AuthHTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // Foundation's limit measures idle time by a clock of its own. The transport measures the whole exchange by the
        // clock that it was given, so Foundation's limit has to be later: a week, or more for a longer timeout.
        timeoutInterval = max(604_800, request.timeout / .seconds(1) + 10)
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name.canonical) }
    }
}

extension URLSessionConfiguration {
    /// A configuration without cache, cookies or credentials. Making it takes longer than making a session from it.
    static let bare: URLSessionConfiguration = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        return configuration
    }()
}
