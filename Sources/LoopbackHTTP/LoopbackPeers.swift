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
/// Linux lists each TCP socket with the user who opened it (proc_net_tcp(5)). A socket that its process has closed is no user's.
/// No list of Darwin is read.
struct LoopbackPeers: Sendable {
    /// The user whose socket listens.
    let user: uid_t
    private let tables: [String]

    /// Returns `nil` where the system does not say whose a socket is.
    ///
    /// - Parameters:
    ///   - listener: The listening socket, which the system has to list as the user's.
    ///   - user: The user.
    ///   - tables: The files with the lists.
    init?(of listener: LoopbackSocket, user: uid_t, tables: [String] = Self.systemTables) {
        (self.user, self.tables) = (user, tables)
        // The number that stands for each user without a number in this process's namespace tells none from another.
        guard let address = listener.address, user != Self.overflowUser,
            self.user(ofSocketAt: address, to: address.any) == user
        else { return nil }
    }

    /// Returns the user at the other end of a connection; `nil` if the system lists no open socket there.
    func user(of connection: LoopbackSocket) -> uid_t? {
        guard let own = connection.address, let other = connection.peerAddress else { return nil }
        // The list is read in pieces, and can miss a socket beside others that are opened and closed meanwhile.
        for _ in 0..<3 {
            if let user = user(ofSocketAt: other, to: own) { return user }
        }
        return nil
    }

    private func user(ofSocketAt own: LoopbackEndpoint, to other: LoopbackEndpoint) -> uid_t? {
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
    private static let systemTables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
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
