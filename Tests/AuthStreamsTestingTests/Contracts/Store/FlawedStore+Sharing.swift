import AuthStreams
import AuthStreamsTesting
import Foundation

/// What several owners of one disk may rely on, or not.
extension FlawedStore {
    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        let lock = try await lockToRelease(name)
        return SessionStoreLock { [disk, flaw] in
            flaw != .deniesItsLock && (flaw == .deniesTheLoss || !disk.state.withLock { $0.areLocksLost })
        } release: {
            lock.release()
        }
    }

    private func lockToRelease(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        if flaw != .locksAnyName { try name.validate() }
        let isTheOnlyName = disk.state.withLock { state in
            state.lockNames.insert(name)
            return state.lockNames.count == 1
        }
        switch flaw {
        case .locksNothing: return SessionStoreLock {}
        case .locksAnyName where (try? name.validate()) == nil: return SessionStoreLock {}
        case .hasOneLock where !isTheOnlyName: await hang.forever()
        case .waitsForLocksWhenCancelled: return try await lockWhateverHappens(name)
        case .forgetsReleases: return try await lockForEver(name)
        default: break
        }
        return try await disk.sharing.lock(name)
    }

    private func lockWhateverHappens(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        let lock = Task { [disk] in try await disk.sharing.lock(name) }
        let result = await withTaskCancellationHandler {
            await lock.result
        } onCancel: {
            hang.begin()
        }
        do { return try result.get() } catch { throw AuthError(wrapping: error) }
    }

    private func lockForEver(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        disk.state.withLock { $0.lockWaiters += 1 }
        defer { disk.state.withLock { $0.lockWaiters -= 1 } }
        let lost = try await disk.sharing.lock(name)
        disk.state.withLock { $0.lostLocks.append(lost) }
        return SessionStoreLock { [disk, hang] in
            if disk.state.withLock({ $0.lockWaiters > 0 }) { hang.begin() }
        }
    }

    func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        let isFirst = disk.state.withLock { state in
            state.readers += 1
            return state.readers == 1
        }
        guard flaw == .tellsOneReader, !isFirst else { return disk.sharing.changes(of: key) }
        return AsyncStream { unheard in disk.state.withLock { $0.unheard.append(unheard) } }
    }

    func tellChange(of key: SessionStoreKey, unless silence: Flaw) async throws(AuthError) {
        // A check whose readers are all told ends by itself, and must not be reported as one that hangs.
        let isAwaited = disk.state.withLock { !$0.unheard.isEmpty || (flaw == silence && $0.readers > 0) }
        if isAwaited { hang.begin() }
        if flaw != silence { try await disk.sharing.write(Data(), for: key) }
    }
}
