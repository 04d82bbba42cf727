public import AuthStreams
import Foundation
import LoopbackHTTP

/// A transport to an emulator in the same process, without a network.
///
/// ```swift
/// try await withEmulator { emulator in
///     let transport = EmulatorTransport(to: emulator)
///     let repository = ServerRepository.emulated(at: emulator.baseURL, transport: transport)
///     …
/// }
/// ```
///
/// Requests and answers are those of the network: the journal records them, and faults apply to them. Use it in a test
/// of what the servers answer, and `URLSessionTransport` in a test of HTTP.
///
/// | question | answer |
/// | --- | --- |
/// | which requests does it take? | those below ``Emulator/baseURL``; others fail with `network` |
/// | what is a cut connection? | `network`, as it is when the emulator is stopped |
/// | which limits hold? | the request's own; not those of the emulator's listener for heads and bodies |
public struct EmulatorTransport: AuthHTTPTransport {
    private let emulator: Emulator
    private let clock: AuthClock

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - emulator: Answers the requests. The transport keeps it running.
    ///   - clock: Measures `AuthHTTPRequest.timeout`.
    public init(to emulator: Emulator, clock: AuthClock = .system) {
        self.emulator = emulator
        self.clock = clock
    }

    /// Sends a request.
    ///
    /// - Throws: `AuthError` with code `network`, `timedOut`, `cancelled` or `invalidResponse`, and what
    ///   `AuthHTTPRequest.validate()` throws.
    public func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        try request.validate()
        guard let received = LoopbackRequest(request, at: emulator.baseURL) else {
            throw AuthError(.network, "The emulator has no such address. Make the URL of its base URL.")
        }
        let outcome = Outcome()
        // Never awaited: the end of the scope cancels it.
        async let _: Void = answer(received, outcome)
        async let _: Void = expire(outcome, after: request.timeout)
        async let _: Void = stop(outcome)
        switch await outcome.value() {
        case .success(let response)?: return try response.received(for: request)
        case .failure(let error)?: throw error
        case nil: throw .cancelled
        }
    }

    private typealias Outcome = Promise<Result<LoopbackResponse, AuthError>>

    private func answer(_ request: LoopbackRequest, _ outcome: Outcome) async {
        guard emulator.stopped.current == nil else { return }
        let response = await emulator.router.respond(to: request)
        // An answer that was held until the request was cancelled does not count.
        if !Task.isCancelled { outcome.resolve(.success(response)) }
    }

    private func expire(_ outcome: Outcome, after limit: Duration) async {
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        outcome.resolve(.failure(AuthError(.timedOut, "No answer came within \(limit).")))
    }

    private func stop(_ outcome: Outcome) async {
        guard await emulator.stopped.value() != nil else { return }
        outcome.resolve(.failure(AuthError(.network, "The emulator is stopped.")))
    }
}

extension AuthHTTPTransport where Self == URLSessionTransport {
    /// Makes a transport for tests over sockets: its requests wait for the answer as long as the server takes.
    ///
    /// On a busy machine an emulator may need longer for an answer than the request's timeout, which says nothing about the
    /// code under test. To test a timeout, make the transport with a ``ManualClock``.
    ///
    /// - Returns: A transport with connections of its own. It ends with the last reference to it.
    public static func untimed() -> URLSessionTransport {
        URLSessionTransport(clock: ManualClock().authClock(startingAt: .distantPast))
    }
}

extension LoopbackRequest {
    /// Makes the request as the emulator parses it from the network; `nil` if it is for another server.
    fileprivate init?(_ request: AuthHTTPRequest, at base: URL) {
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true), parts.scheme == base.scheme,
            parts.host == base.host(), parts.port == base.port
        else { return nil }
        let path = parts.percentEncodedPath
        let target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        let headers = request.headers.map { (name: $0.key.canonical, value: $0.value) }
        self.init(method: request.method.rawValue, target: target, headers: headers, body: request.body ?? Data())
    }
}

extension LoopbackResponse {
    /// Returns the response as a client parses it from the network.
    fileprivate func received(for request: AuthHTTPRequest) throws(AuthError) -> AuthHTTPResponse {
        let body = sentBody(to: request.method.rawValue)
        switch delivery {
        // An app waits for no events: it gets the start of the stream.
        case .complete, .continued: break
        case .truncated(let count) where count >= body.count: break
        case .truncated, .dropped: throw AuthError(.network, "No complete answer came: the connection ended.")
        }
        guard body.count <= request.maximumResponseBytes else { throw .tooLarge(limit: request.maximumResponseBytes) }
        let headers = sentHeaders.map { (HeaderName($0.name), $0.value) }
        return AuthHTTPResponse(
            status: sentStatus, headers: Dictionary(headers, uniquingKeysWith: { "\($0), \($1)" }), body: body)
    }
}
