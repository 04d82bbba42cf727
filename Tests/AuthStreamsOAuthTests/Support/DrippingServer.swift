#if !AUTH_DARWIN
    import AuthStreams
    import Foundation
    import LoopbackHTTP
    import TestSupport

    /// A server that begins an answer of a megabyte and sends a byte of it now and then, until its client leaves.
    final class DrippingServer: Sendable {
        let port: UInt16
        /// Resolved when a byte of a body was sent.
        let dripped = Promise<Void>()
        /// Resolved when a client has left.
        let left = Promise<Void>()
        private let listener: Int32

        struct CannotListen: Error {}

        init() throws {
            let listener = BlockingSocket.open(AF_INET)
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = LoopbackAddress.ipv4.withSocketAddress(port: 0) { bind(listener, $0, $1) == 0 }
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    isBound && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
                }
            }
            guard isListening else { throw CannotListen() }
            self.listener = listener
            port = UInt16(bigEndian: address.sin_port)
            Thread.detachNewThread { [dripped, left] in
                while case let descriptor = BlockingSocket.accept(from: listener), descriptor >= 0 {
                    Thread.detachNewThread { Self.serve(descriptor, dripped, left) }
                }
                close(listener)
            }
        }

        // Wakes the thread that accepts.
        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        private static func serve(_ descriptor: Int32, _ dripped: Promise<Void>, _ left: Promise<Void>) {
            defer {
                close(descriptor)
                left.resolve(())
            }
            var received = Data()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while received.firstRange(of: Data("\r\n\r\n".utf8)) == nil {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                received.append(contentsOf: buffer[..<count])
            }
            // Below the limit, so that its announced length does not end the exchange.
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
            guard send(descriptor, Array(head.utf8), head.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            while send(descriptor, [UInt8(ascii: " ")], 1, Int32(MSG_NOSIGNAL)) > 0 {
                dripped.resolve(())
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
    }
#endif
