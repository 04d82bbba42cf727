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
#endif
