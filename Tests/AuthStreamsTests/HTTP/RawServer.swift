#if !AUTH_DARWIN
    import AuthStreams
    import Foundation
    import TestSupport

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A server that answers with exactly the bytes it is told to, and writes down what arrived over which connection.
    ///
    /// It never closes a connection after an answer, even if the answer says so.
    final class RawServer: Sendable {
        /// Returns the answer to a request by its number on its connection, from 0; `nil` closes without a byte.
        typealias Answer = @Sendable (_ number: Int) -> String?

        struct Connection: Sendable {
            /// The bodies of the requests that came whole.
            var bodies: [String] = []
            let ended = Promise<Void>()
        }

        let port: UInt16
        private let listener: Int32
        private let connections: Lock<[Connection]>

        struct CannotListen: Error {}

        init(_ answer: @escaping Answer) throws {
            let listener = BlockingSocket.open(AF_INET)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
                }
            }
            guard isBound else { throw CannotListen() }
            self.listener = listener
            port = UInt16(bigEndian: address.sin_port)
            let connections = Lock<[Connection]>([])
            self.connections = connections
            Thread.detachNewThread {
                while case let descriptor = BlockingSocket.accept(from: listener), descriptor >= 0 {
                    let index = connections.withLock { connections in
                        connections.append(Connection())
                        return connections.count - 1
                    }
                    Thread.detachNewThread { Self.serve(descriptor, index, connections, answer) }
                }
                close(listener)
            }
        }

        // Wakes the thread that accepts.
        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        func url(_ target: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(target)") ?? URL(filePath: "/") }

        /// The bodies that came whole, by connection.
        var bodies: [[String]] { connections.withLock { $0.map(\.bodies) } }

        /// Waits until the client has closed every connection that it made.
        func allConnectionsEnded() async {
            while let open = connections.withLock({ $0.first { $0.ended.current == nil } }) { await open.ended.value() }
        }

        private static func serve(
            _ descriptor: Int32, _ index: Int, _ connections: Lock<[Connection]>, _ answer: Answer
        ) {
            defer {
                close(descriptor)
                connections.withLock { $0[index].ended }.resolve(())
            }
            var received = Data()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var number = 0
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                received.append(contentsOf: buffer[..<count])
                while let body = takeRequest(from: &received) {
                    connections.withLock { $0[index].bodies.append(body) }
                    guard let bytes = answer(number).map({ Array($0.utf8) }) else { return }
                    number += 1
                    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                }
            }
        }

        /// Takes the first request away once it is whole, and returns its body.
        private static func takeRequest(from received: inout Data) -> String? {
            guard let end = received.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).lowercased()
            let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            let count = length.flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
            guard received.endIndex - end.upperBound >= count else { return nil }
            let body = received[end.upperBound..<end.upperBound + count]
            received = Data(received[(end.upperBound + count)...])
            return String(decoding: body, as: UTF8.self)
        }
    }
#endif
