#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Another user of the machine, whose sockets root can open on Linux.
package struct OtherUser: Sendable {
    private typealias SetUser = @convention(c) (uid_t) -> Int32

    /// `nil` unless this process is root's, on Linux.
    package static let stranger: OtherUser? = {
        #if os(Linux)
            // Not 65 534, the system's overflow number, which stands for users without a number in a namespace.
            geteuid() == 0 && setUser != nil ? OtherUser(id: 65_533) : nil
        #else
            nil
        #endif
    }()

    package let id: UInt32
    /// `setfsuid`, which is of one thread alone. No header that Swift imports declares it.
    private static let setUser = dlsym(dlopen(nil, RTLD_NOW), "setfsuid").map {
        unsafeBitCast($0, to: SetUser.self)
    }

    /// Runs system calls as a user.
    package static func run<Value, Failure>(
        as user: OtherUser?, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let user, let setUser else { return try body() }
        _ = setUser(user.id)
        defer { _ = setUser(geteuid()) }
        return try body()
    }
}
