import AuthStreams
import Foundation

/// A connection to a server that breaks at the request that a check names.
final class ContractNetwork: AuthHTTPTransport {
    /// What happens instead of carrying a request out.
    enum Fault: Sendable {
        case failure(AuthError.Code)
        case answer(AuthHTTPResponse)
        /// An answer that quotes the request, as from a server that could not parse it.
        case echo(@Sendable (AuthHTTPRequest) -> AuthHTTPResponse)
        /// No answer, until the task is cancelled.
        case silence
    }

    private struct State {
        var sent: [AuthHTTPRequest] = []
        var identities: [[String]] = []
        /// How many changes the server has answered with success.
        var changes = 0
        var hasReachedServer = false
        var fault: (Fault, from: Int)?
    }
    private let state = Lock(State())
    private let stands = Promise<Bool>()
    private let base: ContractCapability<any AuthHTTPTransport>

    init(_ base: ContractCapability<any AuthHTTPTransport>) {
        self.base = base
    }

    /// Every request since ``begin(_:from:)``.
    var sent: [AuthHTTPRequest] { state.withLock { $0.sent } }

    /// What tells the requests apart. A question that is asked again after a change is another one.
    var identities: [[String]] { state.withLock { $0.identities } }

    /// Whether one of the requests was carried out.
    var hasReachedServer: Bool { state.withLock { $0.hasReachedServer } }

    /// Starts counting, and breaks at that request, counted from 1, and at all later ones.
    func begin(_ fault: Fault? = nil, from number: Int = 1) {
        state.withLock { $0 = State(fault: fault.map { ($0, number) }) }
    }

    /// Waits until a request is not answered, or until ``callEnded()``.
    ///
    /// - Returns: Whether there was such a request: a later repository may use a cached value instead.
    func standsStill() async -> Bool { await stands.value() ?? false }

    func callEnded() { stands.resolve(false) }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        try request.validate()
        let fault = state.withLock { state in
            state.sent.append(request)
            state.identities.append(request.identity + (request.method == .get ? ["\(state.changes)"] : []))
            let fault = state.fault.flatMap { state.sent.count >= $0.from ? $0.0 : nil }
            if fault == nil { state.hasReachedServer = true }
            return fault
        }
        let response = try await answer(to: request, with: fault)
        if request.method != .get, 200..<300 ~= response.status { state.withLock { $0.changes += 1 } }
        return response
    }

    private func answer(
        to request: AuthHTTPRequest, with fault: Fault?
    ) async throws(AuthError) -> AuthHTTPResponse {
        switch fault {
        case nil: return try await carryOut(request)
        case .failure(let code): throw AuthError(code, "The contract broke the way to the server.")
        case .answer(let response): return response
        case .echo(let answer): return answer(request)
        case .silence:
            stands.resolve(true)
            _ = await Promise<Never>().value()
            throw AuthError(wrapping: CancellationError())
        }
    }

    private func carryOut(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        switch base {
        case .can(let transport): return try await transport.send(request)
        case .cannot(let reason):
            throw AuthError(.network, "A request was sent although there is no network: \(reason)")
        }
    }
}

extension AuthHTTPRequest {
    /// The parts that two requests have in common if one repeats the other.
    var identity: [String] {
        [
            method.rawValue, url.absoluteString, headers[.authorization] ?? "",
            String(decoding: body ?? Data(), as: UTF8.self),
        ]
    }

    /// Returns whether the request contains the secret.
    func carries(_ secret: Secret) -> Bool {
        let plain = secret.reveal()
        // Unchanged, in a form or a URL, and as JSON with escaped slashes.
        let forms = [
            plain, FormCoding.encode([("", plain)]).trimmingPrefix("=").description,
            plain.replacingOccurrences(of: "/", with: "\\/"),
        ]
        return ([url.absoluteString, String(decoding: body ?? Data(), as: UTF8.self)] + headers.values)
            .contains { text in forms.contains { text.contains($0) } }
    }
}
