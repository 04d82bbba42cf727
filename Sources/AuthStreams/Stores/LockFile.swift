import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A locked file. The system unlocks it at the end of this value's lifetime or of the process.
///
/// The file is empty, private like a record, and never removed. Its name begins with a dot, which no record's does.
struct LockFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: String

    /// Locks the file of that name. The file and its folder are created if they do not exist.
    ///
    /// - Parameter waiting: Whether to wait for another holder, which blocks the thread.
    /// - Returns: `nil` if another holder has the lock and `waiting` is `false`.
    init?(_ name: String, inFolderAt folderPath: String, of files: any FileSystem, waiting: Bool) throws(AuthError) {
        for _ in 0..<100 {
            let folder = try PrivateFolder(makingAt: folderPath, isFlushed: true, of: files)
            let (fileName, path) = (".\(name).lock", folder.path(of: ".\(name).lock"))
            try FileFacts(of: fileName, in: folder.descriptor, at: path)?.requirePrivate(.lock, path)
            let file = try Self.open(fileName, in: folder)
            let facts = try FileFacts(of: file, at: path)
            try facts.requirePrivate(.lock, path)
            guard try Self.lock(file, path, waiting: waiting) else { return nil }
            // During the wait another file or folder may have been put there, which others lock since.
            if try FileFacts(at: path, files)?.isSameFile(as: facts) ?? false {
                descriptor = file
                self.path = path
                return
            }
        }
        throw AuthError(
            .storage,
            "The lock '\(name)' could not be taken in '\(folderPath)', because its file was removed each time.")
    }

    private static func open(_ name: String, in folder: borrowing PrivateFolder) throws(AuthError) -> Descriptor {
        // Opened for writing, which some network file systems require for a lock; non-blocking, in case it is not a
        // plain file.
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let raw = folder.descriptor.files.openFile(name, in: folder.descriptor.raw, flags, mode: 0o600)
        guard raw >= 0 else { throw .file(-raw, couldNot: "open", folder.path(of: name)) }
        return Descriptor(raw, of: folder.descriptor.files)
    }

    private static func lock(_ file: borrowing Descriptor, _ path: String, waiting: Bool) throws(AuthError) -> Bool {
        let result = file.files.lockFile(file.raw, waiting ? LOCK_EX : LOCK_EX | LOCK_NB)
        if result >= 0 { return true }
        let failure = -result
        guard failure != EWOULDBLOCK else { return false }
        guard failure != ENOMEM else { throw .file(failure, couldNot: "lock", path) }
        throw AuthError(
            .storage,
            "Could not lock '\(path)': \(String(cString: strerror(failure))). Without locks two processes could use one "
                + "refresh token at once; choose a folder on a file system that has them, such as a local disk.",
            cause: POSIXErrorCode(rawValue: failure).map { POSIXError($0) })
    }

    /// Keeps the file locked beyond this value's lifetime.
    consuming func detach() -> HeldLockFile {
        let files = descriptor.files
        return HeldLockFile(files: files, raw: descriptor.detach(), path: path)
    }
}

/// A locked file that its holder unlocks.
struct HeldLockFile: Sendable {
    fileprivate let files: any FileSystem
    fileprivate let raw: Int32
    fileprivate let path: String

    /// Whether other processes that take the lock still find this file.
    var isInPlace: Bool {
        guard let held = try? FileFacts(ofDescriptor: raw, at: path, files), let found = try? FileFacts(at: path, files)
        else {
            return false
        }
        return found.isSameFile(as: held)
    }

    /// Unlocks and closes the file. Call it once.
    func unlock() {
        let file = Descriptor(raw, of: files)
        // Closing alone is not enough: a child process that is being started holds a copy for a moment.
        _ = files.lockFile(file.raw, LOCK_UN)
    }
}
