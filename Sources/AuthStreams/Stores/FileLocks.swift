import Foundation

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
