import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport that apps use: HTTP over one `URLSession`.
///
/// Connections are kept alive and shared by all requests of one transport, so make one and hand it to everybody; on Linux
/// only those of `GET`, because a request on a used connection may be sent twice there. It keeps
/// no cookies, no cache and no credentials, follows no redirect, and reads no body beyond the request's limit: the transfer
/// is cut off as soon as the limit is passed, or announced to be.
///
/// | question | answer |
/// | --- | --- |
/// | what is an answer? | every response with a status: redirects, 401 with a challenge and 5xx are returned, not thrown; on Linux a redirect has no body |
/// | how long does it wait? | ``HTTPRequest/timeout`` from sending to the last byte, by the clock that was handed in |
/// | what if the task is cancelled? | `cancelled` at once; an answer that was complete before wins |
/// | what if it fails? | `network`, with domain, code and URL without query as the cause |
/// | when does it end? | with the last reference to it; requests under way hold one |
public final class URLSessionTransport: HTTPTransport {
    // Making one takes longer than making a session of it.
    private let configuration = URLSessionConfiguration.bare
    private let shared: PooledSession
    #if !AUTH_DARWIN
        let idleLines = SessionPool()
    #endif
    private let clock: AuthClock

    /// Makes a transport with a session of its own.
    ///
    /// - Parameter clock: Measures ``HTTPRequest/timeout``.
    public init(clock: AuthClock = .system) {
        shared = PooledSession(configuration)
        self.clock = clock
    }

    // A session holds its delegate until it is told to stop.
    deinit {
        shared.cut()
        #if !AUTH_DARWIN
            idleLines.cut()
        #endif
    }

    /// Resolved once the session has let go of everything.
    package var invalidated: Promise<Void> { shared.delegate.invalidated }

    /// How many requests the session still has to finish.
    var openExchangeCount: Int { shared.delegate.exchangeCount }

    /// Sends a request.
    ///
    /// - Throws: ``AuthError`` with code `network`, `timedOut`, `cancelled` or `invalidResponse`; `misconfigured` when the
    ///   URL is not one of http or https with a host, or on Linux where a proxy of the environment would get plain http that is
    ///   for this machine.
    public func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            request.url.host()?.isEmpty == false
        else {
            throw AuthError(.misconfigured, "The URL of a request is not http or https with a host. Correct it.")
        }
        guard request.timeout > .zero else {
            throw AuthError(.timedOut, "A request had no time left, so nothing was sent. Give it a timeout above zero.")
        }
        #if !AUTH_DARWIN
            if let variable = LoopbackProxy.variable(leadingAway: request.url) {
                throw .leavesThisMachine(by: variable)
            }
            if request.method != .get { return try await sendOnce(request) }
        #endif
        return try await send(URLRequest(request), of: request, over: shared)
    }

    #if !AUTH_DARWIN
        // The library beneath Foundation on Linux sends a request a second time when a connection that it used before
        // closes without an answer. A code or a refresh token must never be sent twice, so what is not safe to repeat
        // (RFC 9110 section 9.2.2) gets a connection that nobody used before; the session may be an older one where there
        // is a body, which is not sent again unseen.
        private func sendOnce(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
            var plain = URLRequest(request)
            // RFC 9112 section 9.6: what answers closes the connection, and says so.
            plain.setValue("close", forHTTPHeaderField: "Connection")
            let mayShare = request.body?.isEmpty == false
            let line = (mayShare ? idleLines.take() : nil) ?? PooledSession(configuration)
            let response: HTTPResponse
            do throws(AuthError) { response = try await send(plain, of: request, over: line) } catch {
                line.end()
                throw error
            }
            if mayShare, response.endedItsConnection {
                idleLines.giveBack(line)
            } else {
                line.end()
            }
            return response
        }
    #endif

    private func send(
        _ plain: URLRequest, of request: HTTPRequest, over line: PooledSession
    ) async throws(AuthError) -> HTTPResponse {
        let exchange = URLSessionExchange(maximumBytes: request.maximumResponseBytes)
        let task = line.session.dataTask(with: plain)
        line.delegate.register(exchange, for: task)
        task.resume()

        let outcome = await outcome(of: exchange, within: request.timeout)
        guard case .success(let response)? = outcome else {
            task.cancel()
            guard case .failure(let error)? = outcome else { throw .cancelled }
            throw error
        }
        return response
    }

    /// The outcome, `timedOut` past the limit, `nil` when this task was cancelled.
    private func outcome(
        of exchange: URLSessionExchange, within limit: Duration
    ) async -> Result<HTTPResponse, AuthError>? {
        // Never awaited: leaving the scope cancels it.
        async let _: Void = Self.expire(exchange, after: limit, clock: clock)
        return await exchange.outcome.value()
    }

    private static func expire(_ exchange: URLSessionExchange, after limit: Duration, clock: AuthClock) async {
        do { try await clock.sleep(for: limit) } catch { return }
        exchange.fail(
            AuthError(.timedOut, "No complete answer came within \(limit). Check the connection and try again."))
    }
}
