#if AUTH_SECURITY
    public import AuthStreams

    extension KeychainSessionStore {
        /// Takes a lock that all processes with a store of this service and access group share.
        ///
        /// The lock is a lease: an item named `.<name>.lock`, which the holder renews every 5 seconds. While the holder has
        /// it, or waits for it, the system does not suspend the process (`performExpiringActivity`). When it is about to do so
        /// nevertheless, the lock is given back at once and lost. The lease of a process that died or was suspended is taken
        /// over by a process that saw it unchanged for 20 seconds, after which the former holder's lock is lost. So is an item
        /// that another program made. Both measure by the clock that runs while the device sleeps, so that a change of the date
        /// has no effect. Callers of this store and its copies get the lock in order of arrival. It is not reentrant.
        ///
        /// - Throws: `AuthError` with code `cancelled` if the task is cancelled, even if the lock is free;
        ///   `timedOut` at the limit, which includes the wait for the system's consent to run; `storage` if the keychain
        ///   fails, the system suspends the process, or the name is invalid; `storageLocked` before the first unlock;
        ///   `misconfigured` if the app lacks an entitlement.
        @concurrent
        public func lock(
            _ name: SessionStoreKey, waitingAtMost limit: Duration
        ) async throws(AuthError) -> SessionStoreLock {
            try name.validate()
            try installation.settle(in: place)
            return try await leases.take(name, waitingAtMost: limit)
        }
    }
#endif
