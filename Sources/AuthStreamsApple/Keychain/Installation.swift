#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    /// The installation of the app, which a marker outside the keychain tells from an earlier one.
    ///
    /// The app makes the marker before it writes a record. So where records are and no marker is, an earlier installation
    /// left them. An extension neither makes it nor removes anything: it may run first, and may have another container.
    final class Installation: Sendable {
        private let reinstallation: KeychainSessionStore.Reinstallation
        private let marker: InstallationMarker
        private let formerAccessGroup: String?
        private let isExtension: Bool
        private let isSettled = Lock(false)

        init(
            _ reinstallation: KeychainSessionStore.Reinstallation, marker: InstallationMarker,
            formerAccessGroup: String? = nil,
            isExtension: Bool = Bundle.main.bundleURL.pathExtension == "appex"
        ) {
            self.reinstallation = reinstallation
            self.marker = marker
            self.formerAccessGroup = formerAccessGroup
            self.isExtension = isExtension
        }

        /// Moves the records of the former access group, and removes what an earlier installation left, before the first access to
        /// a record.
        ///
        /// - Throws: `storageLocked`, `storage` or `misconfigured`; then nothing was done, or it is continued at the next call.
        func settle(in place: KeychainPlace) throws(AuthError) {
            if isSettled.withLock({ $0 }) { return }
            guard !place.service.isEmpty else {
                throw AuthError(.misconfigured, "A KeychainSessionStore needs a service; pass the app's identifier.")
            }
            // First, because it throws while the items cannot be opened: until then the keychain may find none to move.
            let isMarked = try marker.exists()
            if !isExtension { try moveRecords(to: place) }
            if isMarked {
                // In each place: the app may name an App Group later, or no longer, and other apps look in the group's alone.
                if !isExtension { try? marker.make() }
            } else if !isExtension {
                if reinstallation == .signOut {
                    for place in [place, formerPlace(of: place)].compactMap(\.self) { try removeRecords(in: place) }
                }
                try marker.make()
            }
            isSettled.withLock { $0 = true }
        }

        /// Where an earlier version of the app kept the records; `nil` if that is the same place.
        private func formerPlace(of place: KeychainPlace) -> KeychainPlace? {
            guard let formerAccessGroup, let accessGroup = place.accessGroup, formerAccessGroup != accessGroup else {
                return nil
            }
            return KeychainPlace(service: place.service, accessGroup: formerAccessGroup)
        }

        /// Moves the records of the former access group. One that the present group has already stays where it is.
        private func moveRecords(to place: KeychainPlace) throws(AuthError) {
            guard let former = formerPlace(of: place), let accessGroup = place.accessGroup else { return }
            for key in try former.records() where try former.record(key).move(to: accessGroup) {
                DarwinNotification.post(place.notification(of: place.record(key)))
            }
        }

        /// Removes the records of an earlier installation. Their versions stay, so that the session of another SDK is not adopted
        /// again, which may have left it, too.
        private func removeRecords(in place: KeychainPlace) throws(AuthError) {
            for key in try place.records() { try remove(place.record(key)) }
        }

        /// Throws while the marker cannot be read, since the keychain's items are protected alike.
        ///
        /// - Throws: `storageLocked`, `storage` or `misconfigured`.
        func requireUnlocked() throws(AuthError) { _ = try marker.exists() }

        /// Removes a record of an earlier installation. Its version is not used again.
        private func remove(_ item: KeychainItem) throws(AuthError) {
            // Each further turn means that another process wrote.
            for _ in 0..<100 {
                guard let contents = try item.read(), KeychainRecord.record(in: contents) != nil else { return }
                // Looked at after the record was read: a record of this installation is written after the marker.
                if try marker.exists() { return }
                guard let version = try? KeychainRecord.version(of: contents, item) else {
                    return try item.delete(contents.identity)
                }
                let (tag, next) = (KeychainRecord.tag(version), KeychainRecord.tag(version.next))
                if try item.replace(tag, by: next, KeychainRecord.data(nil)) {
                    return DarwinNotification.post(item.place.notification(of: item))
                }
            }
        }
    }
#endif
