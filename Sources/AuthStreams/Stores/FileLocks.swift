import Foundation

/// The locks of one folder, as one store and its copies take them.
///
/// Within the process callers stand in line; only the first asks the system. So at most one descriptor and one thread wait
/// per store and name, however many callers do. Two stores on one folder exclude each other, too: the system knows locks
/// by the open file, not by the process.
final class FileLocks: Sendable {
    private let lines = AsyncMutexes()
    private let files: any FileSystem
    private let onStep: FileStep.Observer?

    init(of files: any FileSystem, onStep: FileStep.Observer?) {
        self.files = files
        self.onStep = onStep
    }

    /// How many callers stand in line behind the one who has the lock, or waits for it at the system.
    func waiting(for name: SessionStoreKey) -> Int { lines[name].waiting }

    /// Waits for the lock.
    func take(
        _ name: SessionStoreKey, inFolderAt path: String, waitingAtMost limit: Duration
    ) async throws(AuthError) -> SessionStoreLock {
        if Task.isCancelled { throw .cancelled }
        let turn = lines[name].takeIfFree()
        // Nearly always nobody else has it, and no time is measured.
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
        // A thread of its own, because the system wakes who waits for a file's lock in no other way.
        Thread.detachNewThread { [self] in
            let result: Result<SessionStoreLock, AuthError>
            do throws(AuthError) {
                if let file = try LockFile(name.rawValue, inFolderAt: path, of: files, waiting: true) {
                    result = .success(lock(file, turn, path))
                } else {
                    // No system says that it would have to wait when it was asked to.
                    result = .failure(
                        AuthError(.storage, "The lock '\(name.rawValue)' in '\(path)' was not waited for."))
                }
            } catch {
                result = .failure(error)
            }
            // Nobody may be there any more; then the lock is let go of here, and the turn with it.
            outcome.resolve(result)
        }
        if let result = await outcome.value() { return try result.get() }
        // Whoever resolves first decides whose the lock is.
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
