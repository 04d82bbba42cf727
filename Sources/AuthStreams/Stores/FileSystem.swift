import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file system calls of a store, so that a test can run them on a simulated disk.
///
/// A name is looked up in an open folder; a path that begins with a slash needs none (`AT_FDCWD`). A call that fails
/// returns the negative error number.
protocol FileSystem: Sendable {
    func openFile(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32
    func closeFile(_ file: Int32)
    func readFile(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int
    func writeFile(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int
    /// Writes the file's bytes, or the folder's list of names, to the disk, and everything that was ordered before.
    func flush(_ file: Int32) -> Int32
    /// Lets the file's bytes reach the disk before any later change does. They may reach it with the next flush only.
    func order(_ file: Int32) -> Int32
    /// Takes or releases a lock of the whole file (`flock`).
    func lockFile(_ file: Int32, _ operation: Int32) -> Int32
    func status(of file: Int32, _ status: inout stat) -> Int32
    /// Reads the status without following a symbolic link.
    func status(of name: String, in folder: Int32, _ status: inout stat) -> Int32
    /// Reads the target of a symbolic link.
    func readLink(_ name: String, in folder: Int32, into target: inout String) -> Int32
    func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32
    /// Excludes a folder and what is in it from backups, where the system has a mark for that.
    func excludeFromBackups(_ path: String)
    func link(_ name: String, to newName: String, in folder: Int32) -> Int32
    func unlink(_ name: String, in folder: Int32) -> Int32
    /// Appends the names of all entries of the folder, in no order.
    func list(_ folder: Int32, into names: inout [String]) -> Int32
    /// Returns a random number that no other process draws.
    func random() -> UInt64
}

/// The file system of this machine. A call that a signal interrupts is repeated.
struct LocalFileSystem: FileSystem {
    func openFile(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32 {
        uninterrupted { openat(folder, name, flags, mode) }
    }

    func closeFile(_ file: Int32) { _ = close(file) }

    func readFile(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        uninterrupted { read(file, buffer.baseAddress, buffer.count) }
    }

    func writeFile(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        uninterrupted { write(file, bytes.baseAddress, bytes.count) }
    }

    func flush(_ file: Int32) -> Int32 {
        #if AUTH_DARWIN
            // `fsync` there leaves the data in the drive's cache; not every file system offers more.
            if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return uninterrupted { fsync(file) }
    }

    func order(_ file: Int32) -> Int32 {
        #if AUTH_DARWIN
            // Does not wait for the drive to empty its cache, as `F_FULLFSYNC` does (fcntl(2)).
            if fcntl(file, F_BARRIERFSYNC) == 0 { return 0 }
        #endif
        return flush(file)
    }

    func lockFile(_ file: Int32, _ operation: Int32) -> Int32 { uninterrupted { flock(file, operation) } }

    func status(of file: Int32, _ status: inout stat) -> Int32 { uninterrupted { fstat(file, &status) } }

    func status(of name: String, in folder: Int32, _ status: inout stat) -> Int32 {
        uninterrupted { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
    }

    func readLink(_ name: String, in folder: Int32, into target: inout String) -> Int32 {
        // As long as a path may be on Linux; on macOS it is shorter.
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = uninterrupted { readlinkat(folder, name, &buffer, buffer.count) }
        guard count >= 0 else { return Int32(count) }
        // The system may have cut off the rest.
        guard count < buffer.count else { return -ENAMETOOLONG }
        let bytes = buffer[..<count].map(UInt8.init(bitPattern:))
        target = String(decoding: bytes, as: UTF8.self)
        guard target.utf8.elementsEqual(bytes) else { return -EILSEQ }
        return 0
    }

    func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32 {
        uninterrupted { mkdirat(folder, name, mode) }
    }

    func excludeFromBackups(_ path: String) {
        #if AUTH_DARWIN
            var folder = URL(filePath: path, directoryHint: .isDirectory)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // A file system without extended attributes has no mark, and keeps the records all the same.
            try? folder.setResourceValues(values)
        #endif
    }

    func link(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        // Not repeated: after a signal the link may exist, and a second call would find the name taken.
        linkat(folder, name, folder, newName, 0) == 0 ? 0 : -errno
    }

    func unlink(_ name: String, in folder: Int32) -> Int32 {
        uninterrupted { unlinkat(folder, name, 0) }
    }

    func list(_ folder: Int32, into names: inout [String]) -> Int32 {
        // Opened again, because a listing moves the position of the open folder.
        let file = openFile(".", in: folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard file >= 0 else { return file }
        guard let listing = fdopendir(file) else {
            let failure = -errno
            close(file)
            return failure
        }
        defer { closedir(listing) }
        while true {
            errno = 0
            guard let entry = readdir(listing) else { return -errno }
            // Read in place: an entry may be shorter than its type.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            names.append(String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
        }
    }

    func random() -> UInt64 { .random(in: .min ... .max) }
}

/// Makes a system call, repeated while a signal interrupts it; returns its result, or the negative error number.
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        if errno != EINTR { return -Value(errno) }
    }
}
