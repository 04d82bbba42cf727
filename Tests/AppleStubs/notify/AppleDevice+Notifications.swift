public import AppleFoundation
import Dispatch

extension AppleDevice {
    /// What tests control of Darwin notifications, which connect the processes of the device.
    public enum Notifications {
        private struct Registration {
            let name: String
            let queue: DispatchQueue
            let handler: (Int32) -> Void
            var isPending = false
        }

        private struct State {
            var registrations: [Int32: Registration] = [:]
            var lastToken: Int32 = 0
            var isSuspended = false
            var isRefused = false
            var posted: [String] = []
        }

        private static let state: Locked<State> = {
            let state = Locked(State())
            onReset { state.withLock { $0 = State() } }
            return state
        }()

        /// Whether nobody can register: `notify_register_dispatch` fails.
        public static var isRefused: Bool {
            get { state.withLock { $0.isRefused } }
            set { state.withLock { $0.isRefused = newValue } }
        }

        /// The names of the notifications that were posted, the oldest first, also while the process was suspended.
        public static var posted: [String] { state.withLock { $0.posted } }

        /// How many handlers are registered.
        public static var registrations: Int { state.withLock { $0.registrations.count } }

        /// Suspends the process: it hears nothing until it resumes, and then once of each name.
        public static func suspend() { state.withLock { $0.isSuspended = true } }

        public static func resume() {
            let pending = state.withLock { state in
                state.isSuspended = false
                let pending = state.registrations.filter(\.value.isPending)
                for token in pending.keys { state.registrations[token]?.isPending = false }
                return pending
            }
            for (token, registration) in pending { deliver(token, registration) }
        }

        static func post(_ name: String) -> UInt32 {
            let heard = state.withLock { state in
                state.posted.append(name)
                let heard = state.registrations.filter { $0.value.name == name }
                guard state.isSuspended else { return heard }
                for token in heard.keys { state.registrations[token]?.isPending = true }
                return [:]
            }
            for (token, registration) in heard { deliver(token, registration) }
            return UInt32(NOTIFY_STATUS_OK)
        }

        static func register(
            _ name: String, _ token: UnsafeMutablePointer<Int32>, _ queue: DispatchQueue,
            _ handler: @escaping (Int32) -> Void
        ) -> UInt32 {
            state.withLock { state in
                guard !state.isRefused else { return UInt32(NOTIFY_STATUS_FAILED) }
                state.lastToken += 1
                state.registrations[state.lastToken] = Registration(name: name, queue: queue, handler: handler)
                token.pointee = state.lastToken
                return UInt32(NOTIFY_STATUS_OK)
            }
        }

        static func cancel(_ token: Int32) -> UInt32 {
            let removed = state.withLock { $0.registrations.removeValue(forKey: token) }
            return UInt32(removed == nil ? NOTIFY_STATUS_INVALID_TOKEN : NOTIFY_STATUS_OK)
        }

        /// A handler that was cancelled in the meantime is not called.
        private static func deliver(_ token: Int32, _ registration: Registration) {
            registration.queue.async {
                guard state.withLock({ $0.registrations[token] != nil }) else { return }
                registration.handler(token)
            }
        }
    }
}
