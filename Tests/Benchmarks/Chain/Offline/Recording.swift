import AuthStreams
import Foundation

/// A network that is real once and is repeated from memory after that: the same answers, in the same order.
///
/// Answering allocates nothing, so that what is counted is the library's own.
final class Recording: HTTPTransport {
    private struct State {
        var answers: [HTTPResponse] = []
        var next = 0
        var callback: URL?
        var isFinished = false
    }
    private let state = Guarded(State())
    private let wire: any HTTPTransport
    private let handle: @Sendable (URL) -> Bool

    /// - Parameter handle: Takes the callbacks.
    init(of wire: any HTTPTransport, handle: @escaping @Sendable (URL) -> Bool) {
        self.wire = wire
        self.handle = handle
    }

    /// Forgets what it recorded, and records what comes.
    func begin() {
        state.withLock { $0.answers = [] }
    }

    /// Repeats from now on what it recorded.
    func finish() {
        state.withLock { $0.isFinished = true }
    }

    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        let answer: HTTPResponse? = state.withLock { state in
            guard state.isFinished, !state.answers.isEmpty else { return nil }
            defer { state.next = (state.next + 1) % state.answers.count }
            return state.answers[state.next]
        }
        if let answer { return answer }
        let received = try await wire.send(request)
        state.withLock { $0.answers.append(received) }
        return received
    }

    /// Takes a callback as it comes in, and keeps it.
    func receive(_ url: URL) -> Bool {
        state.withLock { $0.callback = url }
        return handle(url)
    }

    /// Gives the kept callback to whoever waits.
    ///
    /// - Returns: Whether there is one to repeat.
    func repeatCallback() -> Bool {
        guard let callback = state.withLock({ $0.isFinished ? $0.callback : nil }) else { return false }
        return handle(callback)
    }
}
