import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file, closed when it is let go of.
struct Descriptor: ~Copyable {
    let raw: Int32

    init(_ raw: Int32) {
        self.raw = raw
    }

    deinit { _ = close(raw) }

    /// Lets go of the open file without closing it; now the caller does.
    consuming func detach() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    func readAll(_ path: String) throws(AuthError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = uninterrupted { read(raw, &buffer, buffer.count) }
            guard count >= 0 else { throw .file(errno, couldNot: "read", path) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    func writeAll(_ data: Data, _ path: String) throws(AuthError) {
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = uninterrupted { rest.withUnsafeBytes { write(raw, $0.baseAddress, $0.count) } }
            guard count >= 0 else { throw .file(errno, couldNot: "write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns when the file, or the folder's list of names, is on the disk.
    func flush(_ path: String) throws(AuthError) {
        #if AUTH_DARWIN
            // `fsync` there leaves the data in the drive's own memory; not every file system offers more.
            if fcntl(raw, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems flush names by themselves and refuse to be asked (EINVAL).
        guard uninterrupted({ fsync(raw) }) == 0 || errno == EINVAL else { throw .file(errno, couldNot: "flush", path) }
    }
}

/// Repeats a system call that a signal interrupted.
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value != -1 || errno != EINTR { return value }
    }
}

extension AuthError {
    /// A system call on a file failed.
    static func file(_ code: Int32, couldNot verb: String, _ path: String) -> AuthError {
        let advice =
            switch code {
            case ENOSPC, EDQUOT: " Free some space."
            case EACCES, EPERM, EROFS: " Check who owns it and its folder, and that the disk can be written."
            default: ""
            }
        return AuthError(
            .storage, "Could not \(verb) '\(path)': \(String(cString: strerror(code))).\(advice)",
            cause: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
