#if AUTH_SECURITY
    import AuthStreams

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
            let giveBack = { @Sendable in
                lease.giveBack()
                activity.finish()
                turn.release()
            }
            do throws(AuthError) { try await request.waitForHolder(sightings) } catch {
                giveBack()
                throw error
            }
            // It ends with the lease.
            _ = TaskSpawner.start { await lease.keep() }
            return SessionStoreLock(isHeld: { lease.isHeld }, release: giveBack)
        }
    }
#endif
