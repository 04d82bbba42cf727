import Dispatch

/// The listening socket and the connections it has accepted.
///
/// Invariant behind `@unchecked Sendable`: the mutable properties are accessed on `queue` only. The handler does not
/// run on that queue, so waiting for it is short.
final class LoopbackListener: @unchecked Sendable {
    let port: UInt16
    let limits: LoopbackServer.Limits
    /// Tells whose a connection is; `nil` if all are accepted.
    let peers: LoopbackPeers?
    let queue = DispatchQueue(label: "authstreams.loopback", qos: .userInitiated)
    private let isOnQueue = DispatchSpecificKey<Bool>()
    /// Entered as long as a descriptor is open.
    private let openDescriptors: DispatchGroup

    private var handler: LoopbackServer.Handler?
    private var socket: LoopbackSocket?
    private var source: (any DispatchSourceRead)?
    private var isPaused = false
    /// Whether clients waited to connect because there was no room, and have not all connected since.
    private(set) var isCrowded = false
    private var connections: [ObjectIdentifier: LoopbackConnection] = [:]
    private var refusals = 0
    private var isRelayed = false
    private var drainDeadline: LoopbackDeadline?

    init(
        address: LoopbackAddress, port: UInt16, accepting peers: LoopbackServer.Peers, limits: LoopbackServer.Limits,
        handler: @escaping LoopbackServer.Handler
    ) throws(LoopbackServerError) {
        let openDescriptors = DispatchGroup()
        let socket = try LoopbackSocket.listening(at: address, on: port, open: openDescriptors)
        self.port = try socket.port
        self.limits = limits
        self.peers = if case .user(let user) = peers { LoopbackPeers(of: socket, user: user) } else { nil }
        self.handler = handler
        self.socket = socket
        self.openDescriptors = openDescriptors
        queue.setSpecific(key: isOnQueue, value: true)
    }

    func start() {
        guard let socket else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.acceptConnections() }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        queue.sync { self.source = source }
        source.activate()
    }

    /// The number of open connections.
    var connectionCount: Int { queue.sync { connections.count } }

    /// The number of connections that were closed because they are of other users.
    var refusedConnections: Int { queue.sync { refusals } }

    /// See ``LoopbackServer/isPrivate``.
    var isPrivate: Bool { peers != nil && queue.sync { !isRelayed } }

    /// Closes everything; the descriptors are closed when it returns.
    func stop() {
        // A handler may release the last reference to a server on the queue itself.
        if DispatchQueue.getSpecific(key: isOnQueue) == true { return closeEverything() }
        queue.sync { closeEverything() }
        // The system releases them within microseconds. The wait is still bounded, so that a clean-up cannot hang.
        _ = openDescriptors.wait(timeout: .now() + 1)
    }

    /// Waits for the responses in progress, at most for as long as a request may take, then closes everything.
    func stopAfterResponses() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    self.openDescriptors.notify(queue: self.queue) { continuation.resume() }
                    self.drain()
                }
            }
        } onCancel: {
            stop()
        }
    }

    // MARK: On the queue

    private func acceptConnections() {
        guard let socket, let handler else { return }
        while connections.count >= limits.maxConnections {
            guard makeRoom() else { return pause() }
        }
        // A bounded number at a time, so that a burst of clients does not starve the existing connections.
        for _ in 0..<min(64, limits.maxConnections - connections.count) {
            do {
                guard let accepted = try socket.accepted() else {
                    isCrowded = false
                    return
                }
                guard isAccepted(accepted) else {
                    refusals += 1
                    continue
                }
                let connection = LoopbackConnection(socket: accepted, of: self, handler: handler)
                connections[ObjectIdentifier(connection)] = connection
                connection.start()
            } catch {
                // Out of descriptors.
                if !makeRoom() { pause() }
                return
            }
        }
    }

    /// Whether a connection is of the user or of root, whose relays connect for others.
    private func isAccepted(_ connection: LoopbackSocket) -> Bool {
        guard let peers else { return true }
        let user = peers.user(of: connection)
        // Also where the process is root's: what connects may be a relay all the same.
        isRelayed = isRelayed || user == LoopbackSystem.root
        return user == peers.user || user == LoopbackSystem.root
    }

    /// Closes the connection that has been overdue for longest; returns false if none is overdue.
    private func makeRoom() -> Bool {
        let longest = connections.values.filter(\.isOverdue).min { $0.waitingSince < $1.waitingSince }
        longest?.closeIfOverdue()
        return longest != nil
    }

    /// Stops accepting until a connection closes, or may have become overdue.
    private func pause() {
        isCrowded = true
        guard let source, !isPaused else { return }
        isPaused = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in self?.unpause() }
    }

    private func unpause() {
        guard isPaused else { return }
        isPaused = false
        source?.resume()
    }

    func connectionClosed(_ connection: LoopbackConnection) {
        connections[ObjectIdentifier(connection)] = nil
        unpause()
        if drainDeadline != nil, connections.isEmpty { closeEverything() }
    }

    private func drain() {
        stopAccepting()
        guard drainDeadline == nil else { return }
        drainDeadline = LoopbackDeadline(queue: queue) { [weak self] in self?.closeEverything() }
        drainDeadline?.set(after: limits.requestTimeout)
        for connection in Array(connections.values) { connection.drain() }
        if connections.isEmpty { closeEverything() }
    }

    private func stopAccepting() {
        // A suspended source never gets to its cancel handler, which holds the socket.
        unpause()
        source?.cancel()
        source = nil
        socket = nil
    }

    private func closeEverything() {
        stopAccepting()
        handler = nil
        drainDeadline?.cancel()
        for connection in Array(connections.values) { connection.close() }
    }
}
