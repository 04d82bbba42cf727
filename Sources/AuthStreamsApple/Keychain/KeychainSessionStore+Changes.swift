#if AUTH_SECURITY
    public import AuthStreams

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
#endif
