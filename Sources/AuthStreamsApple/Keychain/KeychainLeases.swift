#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    /// The leases of one store and its copies.
    ///
    /// Within the process callers queue, and only the first asks the keychain and keeps the process from being suspended.
    final class KeychainLeases: Sendable {
        /// The lease of another process, as it was after one renewal, and when it was first seen so.
        private struct Sighting {
            let lease: KeychainItem.Identity
            let since: Duration
        }
        private let place: KeychainPlace
        private let clock: AuthClock
        private let queues = AsyncMutexes()
        /// What was seen last, also by callers that waited no longer.
        private let sightings = Lock([SessionStoreKey: Sighting]())

        /// How often a waiting process asks again, for holders that died without a notification.
        private static let interval = Duration.seconds(1)

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
            let deadline = clock.uptime + limit
            let turn = try await turn(name, waitingAtMost: limit)
            let lease = KeychainLease(place.lock(name), clock: clock)
            let activity = try await activity(for: lease, name, until: deadline)
            do throws(AuthError) { try await wait(for: lease, name, until: deadline) } catch {
                lease.giveBack()
                activity.finish()
                throw error
            }
            // It ends with the lease.
            _ = TaskSpawner.start { await lease.keep() }
            return SessionStoreLock {
                lease.isHeld
            } release: {
                lease.giveBack()
                activity.finish()
                turn.release()
            }
        }

        /// Waits for the callers of this process that came before.
        private func turn(
            _ name: SessionStoreKey, waitingAtMost limit: Duration
        ) async throws(AuthError) -> SessionStoreLock {
            let queue = queues[name]
            if let turn = queue.takeIfFree() { return turn }
            let outcome = AuthStream { () async throws(AuthError) in
                guard let turn = await queue.take() else { throw .cancelled }
                return turn
            }
            do throws(AuthError) { return try await outcome.timeout(limit, clock: clock).value } catch {
                throw error.code == .timedOut ? .leaseIsBusy(name) : error
            }
        }

        /// Asks the system for the time to hold the lease.
        private func activity(
            for lease: KeychainLease, _ name: SessionStoreKey, until deadline: Duration
        ) async throws(AuthError) -> ExpiringActivity {
            let outcome = AuthStream { () async throws(AuthError) in
                try await ExpiringActivity.begin("AuthStreams.\(name.rawValue)") { lease.giveBack() }
                // The system answers on another thread, so that a lock without a time limit waits for that, too.
            }.timeout(max(deadline - clock.uptime, .seconds(1)), clock: clock)
            do throws(AuthError) { return try await outcome.value } catch {
                throw error.code == .timedOut ? .noTimeIsGranted(name) : error
            }
        }

        private func wait(
            for lease: KeychainLease, _ name: SessionStoreKey, until deadline: Duration
        ) async throws(AuthError) {
            guard try attempt(lease, name) != nil else { return }
            let pulse = Pulse()
            let observation = DarwinNotification.observe(place.notification(of: place.lock(name))) { pulse.fire() }
            defer { withExtendedLifetime(observation) {} }
            while true {
                let release = pulse.next
                guard let pause = try attempt(lease, name) else { return }
                let rest = deadline - clock.uptime
                guard rest > .zero else { throw .leaseIsBusy(name) }
                await clock.sleep(for: min(pause, rest), unless: release)
                if Task.isCancelled { throw .cancelled }
            }
        }

        /// Takes the lease if it is free or stale.
        ///
        /// - Returns: `nil` if it is taken; otherwise how long to wait before the next attempt.
        private func attempt(_ lease: KeychainLease, _ name: SessionStoreKey) throws(AuthError) -> Duration? {
            switch try lease.take() {
            case .taken: return nil
            case .changed: return .milliseconds(50)
            case .busy(let other):
                let rest = rest(of: other, name)
                guard rest <= .zero else { return min(rest, Self.interval) }
                switch other {
                case .tag(let tag): if case .taken = try lease.take(over: tag) { return nil }
                // Another program made it, or it is damaged.
                case .reference: try place.lock(name).delete(other)
                }
                return .milliseconds(50)
            }
        }

        /// How long a lease must still be seen unchanged until it is stale.
        private func rest(of lease: KeychainItem.Identity, _ name: SessionStoreKey) -> Duration {
            let now = clock.uptime
            return sightings.withLock { sightings in
                guard let sighting = sightings[name], sighting.lease == lease else {
                    sightings[name] = Sighting(lease: lease, since: now)
                    return KeychainLease.Timing.duration
                }
                return sighting.since + KeychainLease.Timing.duration - now
            }
        }
    }

    /// Something that happens again and again, and can be waited for once at a time.
    final class Pulse: Sendable {
        private let promise = Lock(Promise<Void>())

        /// Resolved when it happens next.
        var next: Promise<Void> { promise.withLock { $0 } }

        /// Resumes those that wait.
        func fire() {
            let fired = promise.withLock { promise in
                defer { promise = Promise() }
                return promise
            }
            fired.resolve(())
        }
    }

    extension AuthError {
        fileprivate static func leaseIsBusy(_ name: SessionStoreKey) -> Self {
            AuthError(
                .timedOut,
                "Another process or caller has the lock '\(name.rawValue)' for longer than this one waits. Try again.")
        }

        fileprivate static func noTimeIsGranted(_ name: SessionStoreKey) -> Self {
            AuthError(
                .timedOut,
                """
                The system did not say in time whether the process may run for the lock '\(name.rawValue)', so it got none. \
                Try again.
                """)
        }
    }
#endif
