#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    /// The leases of one store and its copies.
    ///
    /// Within the process callers queue, and only the first asks the keychain and keeps the process from being suspended.
    final class KeychainLeases: Sendable {
        private let place: KeychainPlace
        private let clock: AuthClock
        private let queues = AsyncMutexes()
        private let sightings = LeaseSightings()

        init(of place: KeychainPlace, clock: AuthClock) {
            self.place = place
            self.clock = clock
        }

        /// Takes a lock, waiting until it is free.
        ///
        /// - Throws: `timedOut` at the limit, `cancelled`, `storage` if the system gives the process no time,
        ///   `storageLocked` or `misconfigured`.
        func take(
            _ name: SessionStoreKey, waitingAtMost limit: Duration
        ) async throws(AuthError) -> SessionStoreLock {
            if Task.isCancelled { throw .cancelled }
            let request = KeychainLeaseRequest(name, place.lock(name), until: clock.uptime + limit, clock)
            let lease = request.lease
            let turn = try await request.turn(in: queues[name])
            let activity = try await request.activity()
            // It is released with its last reference, so also if the lease cannot be taken.
            let lock = SessionStoreLock {
                lease.isHeld
            } release: {
                lease.giveBack()
                activity.finish()
                turn.release()
            }
            try await request.waitForHolder(sightings)
            // It ends with the lease.
            _ = TaskSpawner.start { await lease.keep() }
            return lock
        }
    }
#endif
