import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The locks of one folder, shared by a store and its copies.
///
/// Within the process callers queue, and only the first takes the system's lock. So at most one descriptor and one
/// thread wait per store and name, for any number of callers. Two stores on one folder exclude each other, too, because
/// the system's lock belongs to the open file and not to the process.
final class FileLocks: Sendable {
    private let lines = AsyncMutexes()
    private let files: any FileSystem
    private let onStep: FileStep.Observer?

    init(of files: any FileSystem, onStep: FileStep.Observer?) {
        self.files = files
        self.onStep = onStep
    }

    /// The number of callers that queue behind the one that holds the lock or waits for the system's.
    func waiting(for name: SessionStoreKey) -> Int { lines[name].waiting }

    /// Takes the lock, waiting until it is free.
    func take(
        _ name: SessionStoreKey, inFolderAt path: String, waitingAtMost limit: Duration
    ) async throws(AuthError) -> SessionStoreLock {
        if Task.isCancelled { throw .cancelled }
        let turn = lines[name].takeIfFree()
        // The common case: the lock is free, and no time is measured.
        if let turn, let file = try LockFile(name.rawValue, inFolderAt: path, of: files, waiting: false) {
            return lock(file, turn, path)
        }
        let outcome = await AuthStream { () async throws(AuthError) in try await self.wait(name, path, turn) }
            .timeout(limit)
            .body()
        if case .failure(let error) = outcome, error.code == .timedOut {
            throw AuthError(
                .timedOut,
                "Another process has the lock '\(name.rawValue)' in '\(path)' for \(limit) now. It is busy or was stopped; "
                    + "try again, or end it.")
        }
        return try outcome.get()
    }

    private func wait(
        _ name: SessionStoreKey, _ path: String, _ turn: SessionStoreLock?
    ) async throws(AuthError) -> SessionStoreLock {
        if let turn { return try await waitForOthers(name, path, turn) }
        guard let turn = await lines[name].take() else { throw .cancelled }
        if let file = try LockFile(name.rawValue, inFolderAt: path, of: files, waiting: false) {
            return lock(file, turn, path)
        }
        return try await waitForOthers(name, path, turn)
    }

    private func waitForOthers(
        _ name: SessionStoreKey, _ path: String, _ turn: SessionStoreLock
    ) async throws(AuthError) -> SessionStoreLock {
        let outcome = Promise<Result<SessionStoreLock, AuthError>>()
        // A separate thread, because waiting for a file's lock blocks.
        Thread.detachNewThread { [self] in
            let result: Result<SessionStoreLock, AuthError>
            do throws(AuthError) {
                if let file = try LockFile(name.rawValue, inFolderAt: path, of: files, waiting: true) {
                    result = .success(lock(file, turn, path))
                } else {
                    // Unreachable: no system reports that a blocking call would block.
                    result = .failure(
                        AuthError(.storage, "The lock '\(name.rawValue)' in '\(path)' was not waited for."))
                }
            } catch {
                result = .failure(error)
            }
            // The caller may have stopped waiting; the lock and the turn are then released here.
            outcome.resolve(result)
        }
        if let result = await outcome.value() { return try result.get() }
        // The first to resolve the outcome owns the lock.
        if outcome.resolve(.failure(.cancelled)) { throw .cancelled }
        guard let result = outcome.current else { throw .cancelled }
        return try result.get()
    }

    private func lock(
        _ file: consuming LockFile, _ turn: SessionStoreLock, _ path: String
    ) -> SessionStoreLock {
        let file = file.detach()
        onStep?(.lockTaken)
        return SessionStoreLock {
            file.isInPlace
        } release: { [onStep] in
            file.unlock()
            onStep?(.lockReleased)
            turn.release()
        }
    }
}

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
