#if AUTH_SECURITY
    import AuthStreams

    /// The leases of other processes that callers of this one wait for, or have waited for.
    final class LeaseSightings: Sendable {
        /// A lease as it was after one renewal, and when it was first seen so.
        private struct Sighting {
            let lease: KeychainItem.Identity
            let since: Duration
        }
        private let sightings = Lock([SessionStoreKey: Sighting]())

        /// Records that a lease is seen now.
        ///
        /// - Returns: How long it must still be seen unchanged until it is stale.
        func see(_ lease: KeychainItem.Identity, of name: SessionStoreKey, at now: Duration) -> Duration {
            sightings.withLock { sightings in
                guard let sighting = sightings[name], sighting.lease == lease else {
                    sightings[name] = Sighting(lease: lease, since: now)
                    return KeychainLease.Timing.duration
                }
                return sighting.since + KeychainLease.Timing.duration - now
            }
        }
    }
#endif
