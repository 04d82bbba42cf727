import Dispatch

/// A small HTTP/1.1 server on 127.0.0.1 or ::1: for the redirect of a native client (RFC 8252 section 7.3), and for
/// tests.
///
/// ```swift
/// let server = try LoopbackServer.start { request in
///     request.path == "/callback" ? .html("Done.") : .html("Not here.", status: 404)
/// }
/// defer { server.stop() }
/// ```
///
/// - Connections are kept alive; requests on one connection are answered in order, on several at the same time.
/// - The handler runs in a task of its own for each request. It is cancelled when the client goes away or the server
///   stops; there is no time limit on it.
/// - Malformed HTTP/1.1 never reaches the handler: it is answered with a 4xx or 5xx and the connection ends.
/// - No thread waits for a client. Releasing the last reference stops the server.
package final class LoopbackServer: Sendable {
    /// Answers one request.
    ///
    /// Runs on the concurrent executor, not on the server's queue.
    package typealias Handler = @Sendable (LoopbackRequest) async -> LoopbackResponse

    /// The limits for a client.
    package struct Limits: Sendable {
        /// Request line and header fields, in bytes; above it 431.
        package var maxHeadBytes = 16 * 1_024
        /// A request's body, in bytes; above it 413.
        package var maxBodyBytes = 1_024 * 1_024
        /// How long a connection may wait for its next request, and a response for the client to read it.
        package var idleTimeout = Duration.seconds(30)
        /// How long a request may take from its first byte to its last; after it 408.
        package var requestTimeout = Duration.seconds(30)
        /// How long a client may take to close a connection that was ended while it was still sending.
        package var lingerTimeout = Duration.seconds(1)
        /// The maximum number of open connections.
        ///
        /// Past it, clients wait in the system's queue until a connection closes. Then a connection is not kept
        /// alive after its response.
        package var maxConnections = 256
        /// How long a client may take for a request while others wait to connect; after it 503.
        ///
        /// The client that has taken longest is closed first. A connection that was kept alive closes without a
        /// response.
        package var crowdedTimeout = Duration.seconds(1)

        package init() {}
    }

    /// Whose connections a server accepts.
    package enum Peers: Sendable {
        /// Those of every user of this machine.
        case everyUser
        /// Those of one user and of root, as far as the system says whose a connection is. Others are closed at once.
        case user(UInt32)

        /// Those of the process's user and of root.
        package static var thisUser: Peers { .user(LoopbackSystem.user) }
    }

    /// The port it listens on.
    package let port: UInt16
    private let listener: LoopbackListener

    private init(listener: LoopbackListener) {
        self.listener = listener
        port = listener.port
    }

    deinit { listener.stop() }

    /// Starts a server, which accepts connections when this returns.
    ///
    /// - Parameters:
    ///   - address: 127.0.0.1 unless given.
    ///   - port: 0 takes any free port.
    ///   - peers: Whose connections are accepted; those of every user unless given.
    ///   - limits: The limits for a client.
    ///   - handler: Answers the requests. Kept until the server stops.
    /// - Throws: ``LoopbackServerError/portInUse(_:)``, or ``LoopbackServerError/cannotListen(_:)`` for anything else.
    package static func start(
        at address: LoopbackAddress = .ipv4,
        port: UInt16 = 0,
        accepting peers: Peers = .everyUser,
        limits: Limits = Limits(),
        handler: @escaping @Sendable (LoopbackRequest) async -> LoopbackResponse
    ) throws(LoopbackServerError) -> LoopbackServer {
        let listener = try LoopbackListener(
            address: address, port: port, accepting: peers, limits: limits, handler: handler)
        listener.start()
        return LoopbackServer(listener: listener)
    }

    /// Starts a server at 127.0.0.1 and one at ::1 on the same port, so that clients reach it as `localhost` whichever address
    /// they take first. A machine without IPv6 has the first alone.
    ///
    /// - Parameters:
    ///   - port: 0 takes a port that is free at both.
    ///   - handler: Answers the requests.
    /// - Throws: As ``start(at:port:accepting:limits:handler:)``.
    package static func startAtEachAddress(
        port: UInt16 = 0, handler: @escaping @Sendable (LoopbackRequest) async -> LoopbackResponse
    ) throws(LoopbackServerError) -> [LoopbackServer] {
        var taken = LoopbackServerError.portInUse(port)
        for _ in 0..<(port == 0 ? 16 : 1) {
            let first = try start(at: .ipv4, port: port, handler: handler)
            do throws(LoopbackServerError) {
                return [first, try start(at: .ipv6, port: first.port, handler: handler)]
            } catch {
                guard case .portInUse = error else { return [first] }
                taken = error
            }
        }
        throw taken
    }

    /// Whether no socket listens on that port of 127.0.0.1. Another socket may take it at any time.
    ///
    /// - Throws: ``LoopbackServerError/cannotListen(_:)``.
    package static func isFree(_ port: UInt16) throws(LoopbackServerError) -> Bool {
        do throws(LoopbackServerError) {
            // Without a server, the descriptor is closed by the time that this returns.
            _ = try LoopbackSocket.listening(at: .ipv4, on: port, open: DispatchGroup())
            return true
        } catch {
            guard case .portInUse = error else { throw error }
            return false
        }
    }

    /// Closes the listener and every connection, and cancels the handlers' tasks.
    ///
    /// The port is free again when it returns. Stopping once more does nothing.
    package func stop() {
        listener.stop()
    }

    /// Stops accepting, waits for the responses in progress, then closes everything else.
    ///
    /// For a redirect listener: the browser gets its page before the port closes. Connections without a request in
    /// progress are closed at once. It takes at most ``Limits/requestTimeout``; cancelling the calling task stops the
    /// server at once. A handler must not wait for it, because it waits for the handler.
    package func stopAfterResponses() async {
        await listener.stopAfterResponses()
    }

    /// Whether the system said of each connection that was accepted that it is of the user whose connections the server accepts,
    /// and none is of root.
    ///
    /// Root's connections are accepted, because a virtual machine's host may connect by a relay of root. A relay may serve others,
    /// also where the process itself is root's.
    package var isPrivate: Bool { listener.isPrivate }

    /// The number of connections that were closed because they are another user's.
    package var refusedConnections: Int { listener.refusedConnections }

    /// The number of open connections.
    var connectionCount: Int { listener.connectionCount }
}

/// Why a ``LoopbackServer`` could not be started.
package enum LoopbackServerError: Error, Equatable, Sendable {
    /// Another socket listens on this port. Port 0 takes any free one.
    case portInUse(UInt16)
    /// The system refused, with this `errno`: for instance 13 for a port below 1024, or 97 or 99 on Linux where IPv6 is
    /// not available.
    case cannotListen(Int32)
}

extension LoopbackServerError: CustomStringConvertible {
    /// The problem and its remedy.
    package var description: String {
        switch self {
        case .portInUse(let port): "Port \(port) is taken on this machine. Choose another one, or 0 for any free one."
        case .cannotListen(let code):
            "The system lets no server listen on this machine's loopback address (errno \(code))."
        }
    }
}
