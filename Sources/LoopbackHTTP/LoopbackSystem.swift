#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The differences between the systems' socket headers.
enum LoopbackSystem {
    /// A TCP socket, for `socket`.
    ///
    /// On Linux it is created close-on-exec: a program that another thread starts at the same time, such as the
    /// browser, would keep the port open for as long as it runs. Darwin has no such flag.
    #if canImport(Glibc)
        static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #elseif canImport(Musl)
        static let stream = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
    #else
        static let stream = SOCK_STREAM
    #endif

    /// A socket to ask the system, for `socket`.
    #if canImport(Glibc)
        static let datagrams = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
        static let datagrams = SOCK_DGRAM | SOCK_CLOEXEC
    #endif

    /// For `send`: a disconnected peer causes EPIPE instead of killing the process.
    #if canImport(Glibc) || canImport(Musl)
        static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        static let sendFlags: Int32 = 0
    #endif

    /// The user of this process.
    static var user: uid_t { geteuid() }
    static let root: uid_t = 0

    /// The argument of `shutdown` for 'this side sends no more'.
    static let sendingSide = Int32(SHUT_WR)
    static let tcp = Int32(IPPROTO_TCP)

    /// Makes a descriptor non-blocking, close-on-exec, and free of SIGPIPE.
    static func prepare(_ descriptor: Int32) -> Bool {
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return false }
        #if !canImport(Glibc) && !canImport(Musl)
            return enable(SO_NOSIGPIPE, level: SOL_SOCKET, on: descriptor)
        #else
            return true
        #endif
    }

    /// Sets a boolean socket option.
    static func enable(_ option: Int32, level: Int32, on descriptor: Int32) -> Bool {
        var on: Int32 = 1
        return setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
