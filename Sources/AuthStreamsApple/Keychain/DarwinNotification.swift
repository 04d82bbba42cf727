#if AUTH_SECURITY
    import Dispatch
    import notify

    /// Notifications between the processes of a device: a name, nothing else. Any process may post any name, so one only
    /// says that something may have changed.
    enum DarwinNotification {
        private static let queue = DispatchQueue(label: "AuthStreams.DarwinNotification")

        static func post(_ name: String) { _ = notify_post(name) }

        /// Calls an action for each notification, several at once as one.
        ///
        /// - Returns: `nil` if the system has no registration left.
        static func observe(_ name: String, _ action: @escaping @Sendable () -> Void) -> NotificationObservation? {
            var token: Int32 = 0
            let status = notify_register_dispatch(name, &token, queue) { _ in action() }
            guard status == UInt32(NOTIFY_STATUS_OK) else { return nil }
            return NotificationObservation { [token] in _ = notify_cancel(token) }
        }
    }

    /// An observation of notifications, which ends with its last reference.
    final class NotificationObservation: Sendable {
        private let end: @Sendable () -> Void

        /// - Parameter end: Ends the observation. Called once.
        init(end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
#endif
