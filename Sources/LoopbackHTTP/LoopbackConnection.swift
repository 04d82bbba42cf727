import Dispatch
import Foundation

/// One client's connection: it parses requests, passes them to the handler one after another, and sends the responses.
///
/// ```
/// reading ──request──▶ handling ──response──▶ writing ──keep-alive──▶ reading
///    │                    ▲                    ▲ │ └─────close──────▶ lingering ──▶ closed
///    │                    └──────continued───────┘
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

    private let listener: LoopbackListener
    private let handler: LoopbackServer.Handler
    private let channel: LoopbackChannel
    private var deadline: LoopbackDeadline?
    private var parser: LoopbackRequestParser
    private var phase = Phase.reading
    private var isTimingRequest = false
    private var inputHasEnded = false
    private var isDraining = false
    private var hasAnswered = false
    /// Returns what follows the bytes that are being written.
    private var next: (@Sendable () async -> Data?)?
    /// When the connection was opened, was last answered or began to send a request.
    private(set) var waitingSince = DispatchTime.now()

    /// - Parameter listener: Keeps the connection until it is told that the connection has closed.
    init(socket: LoopbackSocket, of listener: LoopbackListener, handler: @escaping LoopbackServer.Handler) {
        self.listener = listener
        self.handler = handler
        channel = LoopbackChannel(socket: socket, queue: listener.queue)
        parser = LoopbackRequestParser(limits: listener.limits)
    }

    private var limits: LoopbackServer.Limits { listener.limits }

    func start() {
        deadline = LoopbackDeadline(queue: listener.queue) { [weak self] in self?.deadlinePassed() }
        deadline?.set(after: limits.idleTimeout)
        channel.start { [weak self] event in self?.receive(event) }
    }

    /// Whether the client has taken longer for its request than ``LoopbackServer/Limits/crowdedTimeout``.
    var isOverdue: Bool {
        guard case .reading = phase else { return false }
        return waitingSince + limits.crowdedTimeout.dispatchInterval <= .now()
    }

    /// Closes the connection to make room for another one, unless its request has arrived.
    func closeIfOverdue() {
        channel.read()
        guard isOverdue else { return }
        // Between two requests the client would take a response for the next one's.
        if !hasAnswered || parser.isInsideRequest { write(.refusal(.crowded), method: "", keepsAlive: false) }
        close()
    }

    /// Ends the connection as soon as the response under way, if there is one, has gone out.
    func drain() {
        isDraining = true
        if case .reading = phase { return close() }
        // A response without an end has nothing that must go out.
        if next != nil { close() }
    }

    /// Ends the connection now.
    func close() {
        if case .closed = phase { return }
        if case .handling(let task) = phase { task.cancel() }
        phase = .closed
        channel.close()
        deadline?.cancel()
        listener.connectionClosed(self)
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
            // Bytes that a client sends ahead are kept up to a limit.
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
            waitingSince = .now()
            deadline?.set(after: limits.requestTimeout)
        }
    }

    private func handle(_ request: LoopbackRequest, keepsAlive: Bool) {
        deadline?.set(after: nil)
        isTimingRequest = false
        // Cancelled by `close()` and when the client disconnects. It does not retain the connection: a response after
        // the end is dropped. The client may be another process with a time limit, so a response comes before other work.
        let task = Task(priority: .high) { [handler, queue = listener.queue, weak self] in
            let response = await handler(request)
            queue.async { [weak self] in
                self?.answer(response, method: request.method, keepsAlive: keepsAlive)
            }
        }
        phase = .handling(task)
    }

    private func answer(_ response: LoopbackResponse, method: String, keepsAlive: Bool) {
        guard case .handling = phase else { return }
        // Bytes that the client has sent ahead are still answered.
        let givesWay = listener.isCrowded && parser.bufferedBytes == 0
        write(response, method: method, keepsAlive: keepsAlive && !inputHasEnded && !isDraining && !givesWay)
    }

    private func write(_ response: LoopbackResponse, method: String, keepsAlive: Bool) {
        guard let wire = response.wire(method: method, keepsAlive: keepsAlive, date: LoopbackDate.now()) else {
            return close()
        }
        next = wire.next
        write(wire.bytes, closes: wire.closes)
    }

    private func write(_ bytes: [UInt8], closes: Bool) {
        phase = .writing(closes: closes)
        deadline?.set(after: limits.idleTimeout)
        switch channel.send(bytes) {
        case .done: written()
        case .waiting: break
        case .failed: close()
        }
    }

    /// Waits for what follows, for any time.
    private func proceed(_ next: @escaping @Sendable () async -> Data?) {
        deadline?.set(after: nil)
        let task = Task(priority: .high) { [queue = listener.queue, weak self] in
            let bytes = await next()
            queue.async { [weak self] in self?.proceed(with: bytes) }
        }
        phase = .handling(task)
    }

    private func proceed(with bytes: Data?) {
        guard case .handling = phase else { return }
        guard let bytes, !inputHasEnded else { return finish() }
        write(Array(bytes), closes: true)
    }

    private func written() {
        guard case .writing(let closes) = phase else { return }
        hasAnswered = true
        waitingSince = .now()
        if let next, !isDraining, !inputHasEnded { return proceed(next) }
        if closes || isDraining || inputHasEnded { return finish() }
        phase = .reading
        channel.isReading = true
        advance()
    }

    /// Closes without losing the response: bytes that arrive at a closed socket make TCP discard what the client has
    /// not read yet, so the connection continues to read for a while if the client is still sending.
    private func finish() {
        guard parser.isInsideRequest, !inputHasEnded else { return close() }
        phase = .lingering
        channel.endOutput()
        channel.isReading = true
        deadline?.set(after: limits.lingerTimeout)
    }
}
