import Dispatch
import Foundation

/// One client's connection: bytes to requests, requests to the handler one after another, responses to bytes.
///
/// ```
/// reading ──request──▶ handling ──response──▶ writing ──keep-alive──▶ reading
///    │                                         ▲  └──────close──────▶ lingering ──▶ closed
///    └──────────────refused request────────────┘
/// ```
///
/// A client that closes its sending side counts as gone: the running handler's task is cancelled. If that handler still
/// answers, the answer is sent; later requests of the connection are dropped.
///
/// Invariant behind `@unchecked Sendable`: every method is called, and every property touched, on `queue` only.
final class LoopbackConnection: @unchecked Sendable {
    private enum Phase {
        case reading
        case handling(Task<Void, Never>)
        case writing(closes: Bool)
        /// Everything is written; waits until the client has seen it (RFC 9112 section 9.6).
        case lingering
        case closed
    }

    private let queue: DispatchQueue
    private let limits: LoopbackServer.Limits
    private let handler: LoopbackServer.Handler
    private let onClose: @Sendable (LoopbackConnection) -> Void
    private let channel: LoopbackChannel
    private var deadline: LoopbackDeadline?
    private var parser: LoopbackRequestParser
    private var phase = Phase.reading
    private var isTimingRequest = false
    private var inputHasEnded = false
    private var isDraining = false
    /// When the connection was opened or last answered.
    private(set) var lastUse = DispatchTime.now()

    /// - Parameter onClose: Called once, on the queue, when the connection is over.
    init(
        socket: LoopbackSocket,
        queue: DispatchQueue,
        limits: LoopbackServer.Limits,
        handler: @escaping LoopbackServer.Handler,
        onClose: @escaping @Sendable (LoopbackConnection) -> Void
    ) {
        self.queue = queue
        self.limits = limits
        self.handler = handler
        self.onClose = onClose
        channel = LoopbackChannel(socket: socket, queue: queue)
        parser = LoopbackRequestParser(limits: limits)
    }

    func start() {
        deadline = LoopbackDeadline(queue: queue) { [weak self] in self?.deadlinePassed() }
        deadline?.set(after: limits.idleTimeout)
        channel.start { [weak self] event in self?.receive(event) }
    }

    /// Whether a response is being made or written.
    var isBusy: Bool {
        switch phase {
        case .handling, .writing: true
        case .reading, .lingering, .closed: false
        }
    }

    /// Ends the connection as soon as the response under way, if there is one, has gone out.
    func drain() {
        isDraining = true
        if case .reading = phase { close() }
    }

    /// Ends the connection now.
    func close() {
        if case .closed = phase { return }
        if case .handling(let task) = phase { task.cancel() }
        phase = .closed
        channel.close()
        deadline?.cancel()
        onClose(self)
    }

    // MARK: Events

    private func receive(_ event: LoopbackChannel.Event) {
        switch (event, phase) {
        case (_, .closed), (.received, .lingering): break
        case (.received(let bytes), .reading):
            parser.append(bytes)
            advance()
        case (.received(let bytes), _):
            parser.append(bytes)
            // What a client sends ahead while it waits is kept, but not without end.
            if parser.bufferedBytes > limits.maxHeadBytes { channel.isReading = false }
        case (.inputEnded, .handling(let task)):
            inputHasEnded = true
            task.cancel()
        case (.inputEnded, .writing): inputHasEnded = true
        case (.inputEnded, _), (.failed, _): close()
        case (.sent(true), .writing): written()
        case (.sent, .writing): deadline?.set(after: limits.idleTimeout)
        case (.sent, _): break
        }
    }

    private func deadlinePassed() {
        if case .reading = phase, isTimingRequest {
            write(LoopbackResponse.refusal(.timedOut), method: "", keepsAlive: false)
        } else {
            close()
        }
    }

    // MARK: Requests and responses

    private func advance() {
        while case .reading = phase {
            switch parser.next() {
            case .incomplete: return waitForInput()
            case .continueExpected: if case .failed = channel.send(Self.continuation) { close() }
            case .request(let request, let keepsAlive): handle(request, keepsAlive: keepsAlive)
            case .rejected(let error): write(.refusal(error), method: "", keepsAlive: false)
            }
        }
    }

    private static let continuation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private func waitForInput() {
        if !parser.isInsideRequest {
            deadline?.set(after: limits.idleTimeout)
        } else if !isTimingRequest {
            // Counted from a request's first byte: a byte now and then must not keep a connection open.
            isTimingRequest = true
            deadline?.set(after: limits.requestTimeout)
        }
    }

    private func handle(_ request: LoopbackRequest, keepsAlive: Bool) {
        deadline?.set(after: nil)
        isTimingRequest = false
        // Cancelled by `close()` and when the client goes. It doesn't keep the connection: an answer that comes after
        // the end has nowhere to go.
        let task = Task { [handler, queue, weak self] in
            let response = await handler(request)
            queue.async { [weak self] in
                self?.answer(response, method: request.method, keepsAlive: keepsAlive)
            }
        }
        phase = .handling(task)
    }

    private func answer(_ response: LoopbackResponse, method: String, keepsAlive: Bool) {
        guard case .handling = phase else { return }
        write(response, method: method, keepsAlive: keepsAlive && !inputHasEnded && !isDraining)
    }

    private func write(_ response: LoopbackResponse, method: String, keepsAlive: Bool) {
        guard let wire = response.wire(method: method, keepsAlive: keepsAlive, date: LoopbackDate.now()) else {
            return close()
        }
        phase = .writing(closes: wire.closes)
        deadline?.set(after: limits.idleTimeout)
        switch channel.send(wire.bytes) {
        case .done: written()
        case .waiting: break
        case .failed: close()
        }
    }

    private func written() {
        guard case .writing(let closes) = phase else { return }
        lastUse = .now()
        if closes || isDraining || inputHasEnded { return finish() }
        phase = .reading
        channel.isReading = true
        advance()
    }

    /// Closes without losing the response: bytes that arrive at a closed socket make TCP take back what the client
    /// has not read yet, so a client that is still sending is listened to for a while.
    private func finish() {
        guard parser.isInsideRequest, !inputHasEnded else { return close() }
        phase = .lingering
        channel.endOutput()
        channel.isReading = true
        deadline?.set(after: limits.lingerTimeout)
    }
}
