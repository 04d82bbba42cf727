extension AuthService {
    /// Waits until refreshes and writes in progress have ended, also those of callers that were cancelled.
    ///
    /// ```swift
    /// let token = try await auth.accessToken()
    /// …
    /// await auth.finish()
    /// exit(0)
    /// ```
    ///
    /// Call it before the process exits. From the call on, the service requests tokens on demand only, as by
    /// ``RefreshPolicy/onDemand``. It waits for the requests that use the refresh token, for sign-outs that the server is being
    /// told about, and for one write of each change that the store does not hold yet. The service can still be used.
    ///
    /// Afterwards it starts nothing in the background, except that a store that could not be read is read again:
    /// - Refreshes, writes and adoptions are not retried. After an adoption failed whose user is not known, the state is signed
    ///   out until a caller asks again.
    /// - Changes by other processes, and revocations that a provider reports to the device, are not followed.
    ///
    /// If the limit passes first, what is under way continues for as long as the process runs. A process that exits then may lose
    /// the answer to a refresh, as one that is killed may: see ``SignOutReason/refreshInterrupted``. A cancelled task waits, too.
    ///
    /// - Parameter limit: The time to wait at most, by the service's clock.
    /// - Returns: Whether everything has ended, and the store holds every change.
    @discardableResult
    public func finish(within limit: Duration = .seconds(30)) async -> Bool {
        manager.transition { $0.requestsOnDemand(at: $1) }
        let (manager, outcome) = (manager, Promise<Bool>())
        // Tasks of their own: the waiting ignores the caller's cancellation, and a write cannot be cancelled at the limit.
        // Once the store was read, the launch checks the key of the session, which must not run while the process exits.
        let launch = manager.read { $0.isUnread } ? nil : background?.launch
        _ = TaskSpawner.start {
            await launch?.value
            outcome.resolve(await manager.settle())
        }
        let timer = TaskSpawner.start {
            // A sleep that fails was cancelled, because the outcome is there.
            if (try? await manager.clock.sleep(for: limit)) != nil { outcome.resolve(false) }
        }
        await TaskSpawner.start { _ = await outcome.value() }.value
        timer.cancel()
        background?.stop()
        return outcome.current ?? false
    }
}

extension SessionManager {
    /// Waits for the requests that use the refresh token, and writes what the store does not hold.
    ///
    /// - Returns: Whether the store holds every change.
    fileprivate func settle() async -> Bool {
        repeat {
            // What a caller has decided is counted a moment later.
            _ = await read { $0.active?.refresh.operation }?.outcome.value()
            await outstanding.waitUntilNone()
            // Changes of the account are no such tasks, and run in this section.
            await refreshMutex.run {}
            try? await persistPending()
        } while !outstanding.isEmpty || read { $0.active?.refresh.operation != nil }
        let holdsLastSignIn = await LastSignIns(manager: self).persistPending()
        return read { $0.storage.pending == nil } && holdsLastSignIn
    }
}
