import Dispatch

/// A connection's bytes in both directions, without blocking.
///
/// Invariant behind `@unchecked Sendable`: every method is called, and every property touched, on `queue` only.
final class LoopbackChannel: @unchecked Sendable {
    enum Event {
        /// Bytes have arrived; valid during the call.
        case received(UnsafeRawBufferPointer)
        /// The client sends no more. Comes at most once.
        case inputEnded
        /// Some of the pending bytes were sent; true if none is left.
        case sent(isAll: Bool)
        /// The client has gone.
        case failed
    }

    enum Sending {
        case done
        /// The send buffer is full; ``Event/sent(isAll:)`` follows.
        case waiting
        case failed
    }

    private static let readSize = 65_536
    private static let readsInARow = 16

    private let queue: DispatchQueue
    private var socket: LoopbackSocket?
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var output: [UInt8] = []
    private var sent = 0
    private var onEvent: (@Sendable (Event) -> Void)?

    init(socket: LoopbackSocket, queue: DispatchQueue) {
        self.socket = socket
        self.queue = queue
    }

    /// Begins to read; ``close()`` must be called before the channel is released.
    func start(onEvent: @escaping @Sendable (Event) -> Void) {
        guard let socket else { return }
        self.onEvent = onEvent
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        source.activate()
        readSource = source
    }

    /// Whether arriving bytes are read; while they are not, TCP holds the client back.
    var isReading = true {
        didSet {
            guard isReading != oldValue, let readSource else { return }
            guard isReading else { return readSource.suspend() }
            readSource.resume()
            queue.async { [weak self] in self?.read() }
        }
    }

    /// Sends bytes after those that are pending.
    func send(_ bytes: [UInt8]) -> Sending {
        if output.isEmpty { output = bytes } else { output += bytes }
        return flush()
    }

    /// Closes the sending side.
    func endOutput() {
        socket?.endOutput()
    }

    func close() {
        endInput()
        writeSource?.cancel()
        writeSource = nil
        output = []
        onEvent = nil
        socket = nil
    }

    /// Reads until nothing is left: after a client has hung up, Linux's Dispatch calls a source once and never again,
    /// even if there is more to read.
    func read() {
        for _ in 0..<Self.readsInARow {
            guard let socket, readSource != nil, isReading, readOnce(socket) else { return }
        }
        // The other connections share the queue.
        queue.async { [weak self] in self?.read() }
    }

    /// Reads once; false when nothing more can be read now.
    private func readOnce(_ socket: LoopbackSocket) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 16) { buffer in
            switch socket.receive(into: buffer) {
            case .bytes(let count):
                onEvent?(.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
                return true
            case .nothingYet: break
            case .end:
                // The end stays readable: the source would fire without end.
                endInput()
                onEvent?(.inputEnded)
            case .failed: onEvent?(.failed)
            }
            return false
        }
    }

    private func endInput() {
        guard let readSource else { return }
        // A suspended source never gets to its cancel handler, which holds the socket.
        if !isReading { readSource.resume() }
        readSource.cancel()
        self.readSource = nil
    }

    private func flush() -> Sending {
        guard let socket else { return .failed }
        while sent < output.count {
            guard let count = socket.transmit(output[sent...]) else { return .failed }
            sent += count
            guard count > 0 else {
                watchForRoom(in: socket)
                return .waiting
            }
        }
        output = []
        sent = 0
        writeSource?.cancel()
        writeSource = nil
        return .done
    }

    private func watchForRoom(in socket: LoopbackSocket) {
        guard writeSource == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.roomAppeared() }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        source.activate()
        writeSource = source
    }

    private func roomAppeared() {
        guard writeSource != nil else { return }
        switch flush() {
        case .done: onEvent?(.sent(isAll: true))
        case .waiting: onEvent?(.sent(isAll: false))
        case .failed: onEvent?(.failed)
        }
    }
}
