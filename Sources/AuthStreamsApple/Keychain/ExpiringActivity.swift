#if AUTH_SECURITY
    import AuthStreams
    import Dispatch
    import Foundation
    import Security

    /// Time that the system gives the process before it suspends it.
    ///
    /// developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:): the block is
    /// called with `false` and keeps the process from being suspended until it returns. It is called with `true`, a second
    /// time or instead, when the process is about to be suspended. On macOS no process is suspended.
    final class ExpiringActivity: Sendable {
        private let isGranted = Promise<Bool>()
        /// Signalled when the activity ends. The system's interface needs a thread that waits.
        private let end = DispatchSemaphore(value: 0)

        /// Asks the system for time.
        ///
        /// - Parameters:
        ///   - reason: For the system's log.
        ///   - onExpiration: Called on a thread of the system. The process may be suspended when it returns.
        /// - Returns: The activity, for the caller to finish.
        /// - Throws: `storage` if the system refuses, `cancelled` if the task is cancelled first.
        static func begin(
            _ reason: String, onExpiration: @escaping @Sendable () -> Void
        ) async throws(AuthError) -> ExpiringActivity {
            let activity = ExpiringActivity()
            #if !AUTH_APPKIT
                ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
                    if isExpired { activity.expire(onExpiration) } else { activity.run() }
                }
                switch await activity.isGranted.value() {
                case true?: break
                case false?: throw .processIsSuspended
                case nil:
                    activity.finish()
                    throw .cancelled
                }
            #endif
            return activity
        }

        /// Gives the rest of the time back. Call it once.
        func finish() { end.signal() }

        private func run() {
            isGranted.resolve(true)
            end.wait()
        }

        private func expire(_ action: () -> Void) {
            isGranted.resolve(false)
            action()
            end.signal()
        }
    }

    extension AuthError {
        static var processIsSuspended: Self {
            AuthError(
                .storage,
                """
                The system is about to suspend the process, so it got no lock and sends nothing. The refresh is repeated \
                when the app runs again.
                """)
        }
    }
#endif
