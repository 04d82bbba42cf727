#if AUTH_SECURITY
    import AuthStreams

    /// One caller's request for a lock: the waits for its turn in the process, for the system's time and for the holder of the
    /// lease.
    ///
    /// They have one deadline, which the wait for the system's time may pass by a second.
    struct KeychainLeaseRequest: Sendable {
        /// The lease that the caller is to hold.
        let lease: KeychainLease
        private let name: SessionStoreKey
        private let item: KeychainItem
        private let deadline: Duration
        private let clock: AuthClock

        /// How long to wait before the next attempt.
        private enum Pause {
            /// For a lease that has just changed.
            static let afterChange = Duration.milliseconds(50)
            /// At most, for a holder that died without a notification.
            static let forHolder = Duration.seconds(1)
        }

        /// Makes a request.
        ///
        /// - Parameters:
        ///   - name: The name of the lock.
        ///   - item: Its item.
        ///   - deadline: The uptime of the clock until which the caller waits.
        init(_ name: SessionStoreKey, _ item: KeychainItem, until deadline: Duration, _ clock: AuthClock) {
            self.name = name
            self.item = item
            self.deadline = deadline
            self.clock = clock
            lease = KeychainLease(item, clock: clock)
        }

        private var rest: Duration { deadline - clock.uptime }

        /// Waits for the callers of this process that came before.
        ///
        /// - Throws: `timedOut` or `cancelled`.
        func turn(in queue: AsyncMutex) async throws(AuthError) -> SessionStoreLock {
            if let turn = queue.takeIfFree() { return turn }
            let turn = AuthStream { () async throws(AuthError) in
                guard let turn = await queue.take() else { throw .cancelled }
                return turn
            }
            return try await turn.timeout(rest, clock: clock).timingOut(with: .leaseIsBusy(name)).value
        }

        /// Asks the system for the time to hold the lease.
        ///
        /// - Throws: `timedOut`, `cancelled`, or `storage` if the system refuses.
        func activity() async throws(AuthError) -> ExpiringActivity {
            let activity = AuthStream { [name, lease] () async throws(AuthError) in
                try await ExpiringActivity.begin("AuthStreams.\(name.rawValue)") { lease.giveBack() }
            }
            // The system answers on another thread, so that a lock without a time limit waits for that, too.
            let limit = max(rest, .seconds(1))
            return try await activity.timeout(limit, clock: clock).timingOut(with: .noTimeIsGranted(name)).value
        }

        /// Takes the lease, as soon as it is free or stale.
        ///
        /// - Throws: `timedOut`, `cancelled`, `storage` if the process is suspended, `storageLocked` or `misconfigured`.
        func waitForHolder(_ sightings: LeaseSightings) async throws(AuthError) {
            guard try attempt(sightings) != nil else { return }
            let pulse = Pulse()
            let observation = DarwinNotification.observe(item.place.notification(of: item)) { pulse.fire() }
            defer { withExtendedLifetime(observation) {} }
            // From before each attempt, so that no release is missed.
            var release = pulse.next
            while let pause = try attempt(sightings) {
                let rest = rest
                guard rest > .zero else { throw .leaseIsBusy(name) }
                await clock.sleep(for: min(pause, rest), unless: release)
                if Task.isCancelled { throw .cancelled }
                release = pulse.next
            }
        }

        /// - Returns: `nil` if the lease is taken; otherwise how long to wait before the next attempt.
        private func attempt(_ sightings: LeaseSightings) throws(AuthError) -> Duration? {
            switch try lease.take() {
            case .taken: return nil
            case .changed: return Pause.afterChange
            case .busy(let holder):
                let rest = sightings.see(holder, of: name, at: clock.uptime)
                guard rest <= .zero else { return min(rest, Pause.forHolder) }
                return try takeOver(holder) ? nil : Pause.afterChange
            }
        }

        /// Takes a stale lease over.
        ///
        /// - Returns: Whether the lease is taken. Of an item without a tag it is not: the item is deleted, and the lease is free.
        private func takeOver(_ stale: KeychainItem.Identity) throws(AuthError) -> Bool {
            switch stale {
            case .tag(let tag):
                if case .taken = try lease.take(over: tag) { return true }
            // Another program made it, or it is damaged.
            case .reference: try item.delete(stale)
            }
            return false
        }
    }

    extension AuthStream {
        /// The same attempt, whose time limit ends it with another error.
        fileprivate func timingOut(with error: AuthError) -> AuthStream {
            mapError { $0.code == .timedOut ? error : $0 }
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
