#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Opens TCP sockets whose calls block.
///
/// They are close-on-exec, on Linux from the start but for accepted ones: a program that another test starts meanwhile, such as
/// the browser, would keep a connection open after its test has closed it.
package enum BlockingSocket {
    /// Returns a descriptor, or -1 with `errno`, as `socket` does.
    package static func open(_ family: Int32) -> Int32 {
        #if canImport(Glibc)
            socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            closedOnExec(socket(family, SOCK_STREAM, 0))
        #endif
    }

    /// Waits for a connection, and returns its descriptor, or -1 with `errno`, as `accept` does.
    package static func accept(from listener: Int32) -> Int32 {
        closedOnExec(systemAccept(listener))
    }

    private static func closedOnExec(_ descriptor: Int32) -> Int32 {
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }
}

private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }
