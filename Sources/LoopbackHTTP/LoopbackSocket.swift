import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A non-blocking TCP socket that is open as long as it is referenced.
///
/// Dispatch sources must have released a descriptor before it is closed, because the system reuses its number at once.
/// So each source's cancel handler retains the socket, and the last release closes it.
final class LoopbackSocket: Sendable {
    enum Input {
        case bytes(Int)
        case nothingYet
        case end
        case failed
    }

    let descriptor: Int32
    private let open: DispatchGroup

    /// - Parameter open: Entered until the descriptor is closed.
    private init(_ descriptor: Int32, open: DispatchGroup) {
        self.descriptor = descriptor
        self.open = open
        open.enter()
    }

    deinit {
        close(descriptor)
        open.leave()
    }

    /// Listens on a loopback address, and on no other one (RFC 8252 section 8.3).
    static func listening(
        at address: LoopbackAddress, on port: UInt16, open: DispatchGroup
    ) throws(LoopbackServerError) -> LoopbackSocket {
        let descriptor = socket(address.family, LoopbackSystem.stream, 0)
        guard descriptor >= 0 else { throw .cannotListen(errno) }
        let socket = LoopbackSocket(descriptor, open: open)
        // Without it a fixed port stays taken for a minute after its last connection. It never allows two listeners.
        guard LoopbackSystem.prepare(descriptor),
            LoopbackSystem.enable(SO_REUSEADDR, level: SOL_SOCKET, on: descriptor)
        else { throw .cannotListen(errno) }

        let bound = address.withSocketAddress(port: port) { bind(descriptor, $0, $1) }
        guard bound == 0, listen(descriptor, SOMAXCONN) == 0 else {
            throw errno == EADDRINUSE ? .portInUse(port) : .cannotListen(errno)
        }
        return socket
    }

    /// The port this socket is bound to.
    var port: UInt16 {
        get throws(LoopbackServerError) {
            guard let address else { throw .cannotListen(errno) }
            return address.port
        }
    }

    /// Accepts one connection.
    ///
    /// - Returns: The connection; `nil` if none is pending.
    /// - Throws: ``LoopbackServerError/cannotListen(_:)`` if the process or the system is out of descriptors.
    func accepted() throws(LoopbackServerError) -> LoopbackSocket? {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection >= 0 {
                let socket = LoopbackSocket(connection, open: open)
                guard LoopbackSystem.prepare(connection) else { continue }
                // Responses are one write each; delaying them to send more at once only costs time.
                _ = LoopbackSystem.enable(TCP_NODELAY, level: LoopbackSystem.tcp, on: connection)
                return socket
            }
            switch errno {
            // A client that disconnected before it was accepted is skipped.
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw .cannotListen(errno)
            default: return nil
            }
        }
    }

    /// Reads what has arrived.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Input {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothingYet
            default: return .failed
            }
        }
    }

    /// Sends as many bytes as the system takes without blocking.
    ///
    /// - Returns: The number of bytes sent, 0 if the send buffer is full; `nil` if the peer has disconnected.
    func transmit(_ bytes: ArraySlice<UInt8>) -> Int? {
        while true {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, LoopbackSystem.sendFlags) }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: return nil
            }
        }
    }

    /// Closes the sending side; the receiving side stays readable.
    func endOutput() {
        _ = shutdown(descriptor, LoopbackSystem.sendingSide)
    }
}
