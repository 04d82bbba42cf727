import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells whose the other ends of connections are.
///
/// Linux says of a TCP socket which user opened it: asked for one (sock_diag(7)), or in its lists of all (proc_net_tcp(5)). Reading
/// these takes milliseconds after thousands of connections, which stay in them for a minute after their end. So they are read
/// only where the system answers no question. A socket that its process has closed is no user's. Darwin is not asked.
struct LoopbackPeers: Sendable {
    /// The user whose socket listens.
    let user: uid_t
    /// The files with the lists; `nil` if the system is asked for each socket.
    private let tables: [String]?

    /// Returns `nil` where the system does not say whose a socket is.
    ///
    /// - Parameters:
    ///   - listener: The listening socket, which the system has to know as the user's.
    ///   - user: The user.
    ///   - tables: The files with the lists. Unless given, the system is asked if it answers, and otherwise its lists are read.
    init?(of listener: LoopbackSocket, user: uid_t, tables: [String]? = nil) {
        // The number that stands for each user without a number in this process's namespace tells none from another.
        guard let address = listener.address, user != Self.overflowUser else { return nil }
        self.user = user
        if tables == nil, SocketQuestion(of: address, to: address.any).user == user {
            self.tables = nil
        } else {
            let tables = tables ?? Self.systemTables
            guard Self.user(ofSocketAt: address, to: address.any, in: tables) == user else { return nil }
            self.tables = tables
        }
    }

    /// Returns the user at the other end of a connection; `nil` if the system knows no open socket there.
    func user(of connection: LoopbackSocket) -> uid_t? {
        guard let own = connection.address, let other = connection.peerAddress else { return nil }
        guard let tables else { return SocketQuestion(of: other, to: own).user }
        // The list is read in pieces, and can miss a socket beside others that are opened and closed meanwhile.
        for _ in 0..<3 {
            if let user = Self.user(ofSocketAt: other, to: own, in: tables) { return user }
        }
        return nil
    }

    private static func user(
        ofSocketAt own: LoopbackEndpoint, to other: LoopbackEndpoint, in tables: [String]
    ) -> uid_t? {
        // A socket for both address families can have either form.
        let keys = zip(own.listedForms, other.listedForms).map { Data(" \($0) \($1) ".utf8) }
        for table in tables {
            let list = Self.contents(of: table)
            for key in keys {
                guard let found = list.range(of: key) else { continue }
                let rest = String(
                    decoding: list[found.upperBound...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
                // State, queues, timer, retransmissions, user, probes, inode. A socket that its process has closed has no inode,
                // and its user is not known any more.
                let fields = rest.split(separator: " ")
                guard fields.count > 6, fields[6] != "0" else { return nil }
                return uid_t(fields[4])
            }
        }
        return nil
    }

    /// Reads a file of the system whose size is not known before. `FileManager` returns its first page alone.
    private static func contents(of path: String) -> Data {
        var contents = Data()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return contents }
        defer { close(file) }
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            while true {
                let count = read(file, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                contents.append(contentsOf: buffer[..<count])
            }
        }
        return contents
    }

    private static let overflowUser =
        uid_t(String(decoding: contents(of: "/proc/sys/kernel/overflowuid"), as: UTF8.self).filter(\.isNumber))
        ?? 65_534
    static let systemTables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
}

/// Asks Linux for one TCP socket (sock_diag(7)), which takes as long beside many sockets as beside few.
private struct SocketQuestion {
    let own: LoopbackEndpoint
    let other: LoopbackEndpoint

    /// - Parameters:
    ///   - own: The socket's end.
    ///   - other: The end that it is connected to; ``LoopbackEndpoint/any`` for a socket that listens.
    init(of own: LoopbackEndpoint, to other: LoopbackEndpoint) {
        (self.own, self.other) = (own, other)
    }

    #if canImport(Glibc) || canImport(Musl)
        // The type of the message, by its family of addresses, in <linux/sock_diag.h>.
        private static let byFamily: UInt16 = 20

        /// The user who opened the socket; `nil` if it is closed, or the system does not answer.
        var user: uid_t? {
            // NETLINK_SOCK_DIAG of <linux/netlink.h>.
            let system = socket(AF_NETLINK, LoopbackSystem.datagrams, 4)
            guard system >= 0 else { return nil }
            defer { close(system) }
            let message = message
            guard send(system, message, message.count, 0) == message.count else { return nil }
            return withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { buffer in
                // The system has answered when the call returns.
                let count = recv(system, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                guard count >= 88 else { return nil }
                return user(in: UnsafeRawBufferPointer(buffer))
            }
        }

        /// A header (netlink(7)), and `inet_diag_req_v2` of <linux/inet_diag.h>.
        private var message: [UInt8] {
            func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
            func padded(_ address: [UInt8]) -> [UInt8] {
                address + [UInt8](repeating: 0, count: 16 - address.count)
            }
            let family = UInt8(own.address.count == 4 ? AF_INET : AF_INET6)
            // Length, type, NLM_F_REQUEST, number, and this process.
            let header = bytes(UInt32(72)) + bytes(Self.byFamily) + bytes(UInt16(1)) + bytes(UInt64(0))
            // In each state, on any interface, with any cookie.
            return header + [family, UInt8(IPPROTO_TCP), 0, 0] + bytes(UInt32.max) + bytes(own.port.bigEndian)
                + bytes(other.port.bigEndian) + padded(own.address) + padded(other.address) + bytes(UInt32(0))
                + bytes(UInt64.max)
        }

        /// Reads `inet_diag_msg` behind the header. Without the connection the system answers with a socket that listens there.
        private func user(in answer: UnsafeRawBufferPointer) -> uid_t? {
            func port(at offset: Int) -> UInt16 {
                UInt16(bigEndian: answer.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            }
            guard answer.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == Self.byFamily,
                port(at: 20) == own.port, port(at: 22) == other.port,
                // The inode. A socket that its process has closed has none, and its user is not known any more.
                answer.loadUnaligned(fromByteOffset: 84, as: UInt32.self) != 0
            else { return nil }
            return answer.loadUnaligned(fromByteOffset: 80, as: UInt32.self)
        }
    #else
        var user: uid_t? { nil }
    #endif
}

/// One end of a TCP connection.
struct LoopbackEndpoint {
    /// The address in network byte order: four bytes or sixteen.
    let address: [UInt8]
    let port: UInt16

    /// The other end of a socket that listens.
    var any: LoopbackEndpoint { LoopbackEndpoint(address: address.map { _ in 0 }, port: 0) }

    /// The forms in which the system's lists have it: hexadecimal words of the machine's byte order, and the port.
    fileprivate var listedForms: [String] {
        let isIPv4 = address.count == 4
        let mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + address
        return (isIPv4 ? [address, mapped] : [address]).map { "\(Self.words($0)):\(Self.hexadecimal(port))" }
    }

    private static func words(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            let word = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            // The system prints the word as it lies in memory.
            return hexadecimal(UInt32(bigEndian: word))
        }.joined()
    }

    private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }
}

extension LoopbackSocket {
    /// This end; `nil` if the socket has no address.
    var address: LoopbackEndpoint? { endpoint(getsockname) }

    /// The other end; `nil` if the peer has disconnected.
    var peerAddress: LoopbackEndpoint? { endpoint(getpeername) }

    private func endpoint(
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> LoopbackEndpoint? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            guard pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, { name(descriptor, $0, &size) }) == 0 else {
                return nil
            }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                let found = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee }
                return LoopbackEndpoint(
                    address: withUnsafeBytes(of: found.sin_addr) { Array($0) }, port: UInt16(bigEndian: found.sin_port))
            case AF_INET6:
                let found = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee }
                return LoopbackEndpoint(
                    address: withUnsafeBytes(of: found.sin6_addr) { Array($0) },
                    port: UInt16(bigEndian: found.sin6_port))
            default: return nil
            }
        }
    }
}
