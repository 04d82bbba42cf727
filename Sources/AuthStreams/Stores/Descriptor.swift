import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file, closed at the end of its lifetime.
struct Descriptor: ~Copyable {
    let files: any FileSystem
    /// Negative once it is detached.
    private(set) var raw: Int32

    init(_ raw: Int32, of files: any FileSystem) {
        self.raw = raw
        self.files = files
    }

    deinit { if raw >= 0 { files.closeFile(raw) } }

    /// Gives up the open file without closing it; the caller closes it.
    consuming func detach() -> Int32 {
        defer { raw = -1 }
        return raw
    }

    func readAll(_ path: String) throws(AuthError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { files.readFile(raw, into: $0) }
            guard count >= 0 else { throw .file(Int32(-count), couldNot: "read", path) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    func writeAll(_ data: Data, _ path: String) throws(AuthError) {
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { files.writeFile($0, to: raw) }
            guard count >= 0 else { throw .file(Int32(-count), couldNot: "write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes the file, or the folder's list of names, to the disk.
    func flush(_ path: String) throws(AuthError) { try check(files.flush(raw), path) }

    /// Lets the file's bytes reach the disk before any later change does.
    func order(_ path: String) throws(AuthError) { try check(files.order(raw), path) }

    private func check(_ result: Int32, _ path: String) throws(AuthError) {
        // Some file systems flush names themselves and refuse the call.
        guard result >= 0 || [EINVAL, EROFS].contains(-result) else { throw .file(-result, couldNot: "flush", path) }
    }
}

extension AuthError {
    /// The error of a failed system call on a file.
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
