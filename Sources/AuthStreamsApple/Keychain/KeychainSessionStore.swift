#if AUTH_SECURITY
    public import AuthStreams
    public import Foundation

    /// A session store in the keychain, for apps, their extensions and widgets.
    ///
    /// ```swift
    /// let store = KeychainSessionStore(
    ///     service: "com.example.app", accessGroup: "TEAMID.com.example.shared", appGroup: "group.com.example")
    /// ```
    ///
    /// - Each record is one item of the data-protection keychain, which never leaves the device and is readable from the
    ///   first unlock after a restart on. It is not synchronized and not restored to another device.
    /// - A write is one call that names the version that it replaces. Apple does not document that such a call is atomic.
    /// - Before the first unlock every call is `storageLocked`, never 'empty'. If the app lacks an entitlement, the error
    ///   is `misconfigured` and names it.
    /// - A lock is a lease: an item that its holder renews. The process is kept from being suspended while it holds one. If
    ///   the system suspends it nevertheless, the lock is lost, and `SessionStoreLock.isHeld` is `false`.
    ///
    /// The article <doc:KeychainSession> describes entitlements, extensions, reinstallation, and what Apple does not
    /// document.
    public struct KeychainSessionStore: SessionStore {
        let place: KeychainPlace
        let installation: Installation
        let leases: KeychainLeases
        let clock: AuthClock

        /// Makes a store. The keychain is not accessed before the first call.
        ///
        /// - Parameters:
        ///   - service: The service of the items (`kSecAttrService`), for this store alone, such as the app's bundle
        ///     identifier. It must be the same in the app's extensions.
        ///   - accessGroup: The access group that the app shares with its extensions, with the prefix of the team:
        ///     `TEAMID.com.example.shared`. It must be in the entitlement `keychain-access-groups` of each. `nil` for an app
        ///     without extensions that need the session. A service has either a group or none: without one, the keychain
        ///     finds items of every group of the app.
        ///   - appGroup: The App Group of the app and its extensions. Its container has the marker of the installation;
        ///     `nil` for the app's own container.
        ///   - formerAccessGroup: The access group of an earlier version of the app, whose records are moved to `accessGroup` before the
        ///     first access; `nil` if it had the same. Without one, an earlier version had the app's first group, usually that of its
        ///     own identifier: `TEAMID.com.example.app`. Only the app moves records, an extension does not.
        ///   - reinstallation: What becomes of a session that an earlier installation of the app left.
        public init(
            service: String, accessGroup: String? = nil, appGroup: String? = nil, formerAccessGroup: String? = nil,
            onReinstallation reinstallation: Reinstallation = .signOut
        ) {
            self.init(
                KeychainPlace(service: service, accessGroup: accessGroup),
                Installation(
                    reinstallation, marker: .standard(service: service, appGroup: appGroup),
                    formerAccessGroup: formerAccessGroup))
        }

        /// Makes a store of a given installation.
        init(_ place: KeychainPlace, _ installation: Installation, clock: AuthClock = .system) {
            self.place = place
            self.installation = installation
            self.clock = clock
            leases = KeychainLeases(of: place, clock: clock)
        }

        /// Reads a record.
        ///
        /// - Throws: `AuthError` with code `storageLocked` before the first unlock; `misconfigured` if the app
        ///   lacks an entitlement; `storage` if the keychain fails or the name is invalid.
        @concurrent
        public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try readBlocking(key) }

        func readBlocking(_ key: SessionStoreKey) throws(AuthError) -> StoredRecord {
            try key.validate()
            try installation.settle(in: place)
            let item = place.record(key)
            guard let contents = try item.read() else {
                // The keychain's word counts only while its items can be opened.
                try installation.requireUnlocked()
                return StoredRecord(data: nil, version: .none)
            }
            return StoredRecord(
                data: KeychainRecord.record(in: contents), version: try KeychainRecord.version(of: contents, item))
        }

        /// Writes or removes a record, unless another write came first.
        ///
        /// - Throws: `AuthError` with code `storageLocked` before the first unlock; `misconfigured` if the app
        ///   lacks an entitlement; `storage` if the keychain fails or the name is invalid. Then the record is the old or the
        ///   new one, as a whole.
        @concurrent
        public func write(
            _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
        ) async throws(AuthError) -> RecordVersion? {
            try key.validate()
            try installation.settle(in: place)
            let item = place.record(key)
            let (tag, contents) = (KeychainRecord.tag(version.next), KeychainRecord.data(data))
            let isWritten =
                version == .none
                ? try item.add(tag, contents) : try item.replace(KeychainRecord.tag(version), by: tag, contents)
            guard isWritten else {
                // An item that cannot be opened yet is no conflict.
                try installation.requireUnlocked()
                return nil
            }
            DarwinNotification.post(place.notification(of: item))
            return version.next
        }
    }

    extension KeychainSessionStore {
        /// The store of the running app: its service is the app's bundle identifier, also in an extension of the app.
        ///
        /// In a program without a bundle identifier every call is `misconfigured`.
        ///
        /// - Parameters:
        ///   - accessGroup: The access group that the app shares with its extensions, with the prefix of the team; `nil` for an
        ///     app without extensions that need the session.
        ///   - appGroup: The App Group of the app and its extensions; `nil` for the app's own container.
        ///   - formerAccessGroup: The access group of an earlier version of the app, whose records are moved to `accessGroup` before the
        ///     first access; `nil` if it had the same. Without one, an earlier version had the app's first group, usually that of its
        ///     own identifier: `TEAMID.com.example.app`. Only the app moves records, an extension does not.
        ///   - reinstallation: What becomes of a session that an earlier installation of the app left.
        public static func standard(
            accessGroup: String? = nil, appGroup: String? = nil, formerAccessGroup: String? = nil,
            onReinstallation reinstallation: Reinstallation = .signOut
        ) -> KeychainSessionStore {
            KeychainSessionStore(
                service: Bundle.appIdentifier ?? "", accessGroup: accessGroup, appGroup: appGroup,
                formerAccessGroup: formerAccessGroup, onReinstallation: reinstallation)
        }
    }

    extension KeychainSessionStore {
        /// What becomes of a session that an earlier installation of the app left in the keychain.
        ///
        /// Items of the keychain outlive the app: they are there again when the person installs it anew. Apple does not
        /// document either behaviour.
        public enum Reinstallation: Sendable, Equatable {
            /// The records are removed, and the person signs in again.
            ///
            /// Only the app removes them, never an extension. They stay on tvOS, where an app has no place of its own that
            /// the system does not empty.
            case signOut
            /// The person is still signed in.
            case keepSession
        }
    }

    extension KeychainSessionStore {
        /// Returns a stream with an element when the record may have changed in any process, and when the app comes to the
        /// foreground: a suspended process misses notifications.
        ///
        /// Processes tell each other by a Darwin notification, which is named by service and access group. Changes that come
        /// faster than they are read are one element. The stream does not keep the store, and all is given back when its
        /// reader stops or it is released. It ends at once if the name is invalid or the system has no registration left and
        /// the process no foreground.
        public func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [place] continuation in
                guard (try? key.validate()) != nil else { return continuation.finish() }
                let name = place.notification(of: place.record(key))
                let observations = [
                    DarwinNotification.observe(name) { continuation.yield() },
                    SystemNotification.observeForeground { continuation.yield() },
                ].compactMap(\.self)
                guard !observations.isEmpty else { return continuation.finish() }
                continuation.onTermination = { _ in withExtendedLifetime(observations) {} }
            }
        }

        /// Returns once the records can be read or the task is cancelled.
        ///
        /// The app is notified of the unlock. An extension, and a program for macOS or watchOS, is not, and looks every five
        /// seconds.
        @concurrent
        public func waitUntilUnlocked() async {
            let pulse = Pulse()
            let observation = SystemNotification.observeUnlock { pulse.fire() }
            defer { withExtendedLifetime(observation) {} }
            while !Task.isCancelled {
                let next = pulse.next
                guard isLocked else { return }
                await clock.sleep(for: .seconds(5), unless: next)
            }
        }

        private var isLocked: Bool {
            do throws(AuthError) { _ = try readBlocking(.session) } catch { return error.code == .storageLocked }
            return false
        }
    }

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
