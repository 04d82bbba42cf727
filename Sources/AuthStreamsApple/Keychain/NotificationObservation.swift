#if AUTH_SECURITY
    /// An observation of notifications, which ends with its last reference.
    final class NotificationObservation: Sendable {
        private let end: @Sendable () -> Void

        /// - Parameter end: Ends the observation. Called once.
        init(end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
#endif
