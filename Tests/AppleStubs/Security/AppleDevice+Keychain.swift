import Foundation

extension AppleDevice {
    /// What tests control of the keychain, which outlives the processes that use it: every store of a test shares it.
    public enum Keychain {
        public enum Operation: Sendable, CaseIterable {
            case add, copyMatching, update, delete
        }

        public struct Call {
            public let operation: Operation
            public let query: [String: Any]
            /// What an update changes; empty for the others.
            public let changes: [String: Any]

            init(_ operation: Operation, _ query: [String: Any], _ changes: [String: Any] = [:]) {
                (self.operation, self.query, self.changes) = (operation, query, changes)
            }

            public var service: String? { query[kSecAttrService] as? String }
            public var account: String? { query[kSecAttrAccount] as? String }
        }

        private struct Rule {
            let applies: (Call) -> Bool
            let isAfterwards: Bool
            var remaining: Int
            let action: (Call) -> OSStatus?
        }

        private struct State {
            var items = KeychainItems()
            var groups = ["TEAMID.app"]
            var rules: [Rule] = []
            var calls: [Call] = []
        }

        private static let state: Locked<State> = {
            let state = Locked(State())
            onReset { state.withLock { $0 = State() } }
            return state
        }()

        /// The access groups that the running process is entitled to. Items are added to the first, unless told
        /// otherwise. Without any, every call answers -34018.
        public static var accessGroups: [String] {
            get { state.withLock { $0.groups } }
            set { state.withLock { $0.groups = newValue } }
        }

        /// The calls so far, the oldest first.
        public static var calls: [Call] { state.withLock { $0.calls } }

        /// Answers calls with `status`: the next `times` of them that are among `operations` and fit `condition`.
        ///
        /// - Parameter afterwards: Whether the keychain has done what was asked before it answers so.
        public static func answer(
            _ status: OSStatus, to operations: Set<Operation> = Set(Operation.allCases), times: Int = .max,
            afterwards: Bool = false, where condition: @escaping (Call) -> Bool = { _ in true }
        ) {
            add(operations, times, afterwards, condition) { _ in status }
        }

        /// Runs `action` before the next call that is `operation` and fits `condition`, on the thread of the call.
        ///
        /// This is the place for what another process does in between. The action may call the keychain.
        public static func before(
            _ operation: Operation, where condition: @escaping (Call) -> Bool = { _ in true },
            _ action: @escaping (Call) -> Void
        ) {
            add([operation], 1, false, condition) { call in
                action(call)
                return nil
            }
        }

        /// Ends what ``answer(_:to:times:afterwards:where:)`` and ``before(_:where:_:)`` have begun.
        public static func answerAsUsual() { state.withLock { $0.rules = [] } }

        /// Restores a backup to another device: items of this device only are gone.
        public static func moveToAnotherDevice() { state.withLock { $0.items.removeThoseOfThisDeviceOnly() } }

        private static func add(
            _ operations: Set<Operation>, _ times: Int, _ afterwards: Bool, _ condition: @escaping (Call) -> Bool,
            _ action: @escaping (Call) -> OSStatus?
        ) {
            let applies: (Call) -> Bool = { operations.contains($0.operation) && condition($0) }
            let rule = Rule(applies: applies, isAfterwards: afterwards, remaining: times, action: action)
            state.withLock { $0.rules.append(rule) }
        }

        /// What the first rule says that applies now. Its action runs without the lock.
        private static func ruled(_ call: Call, afterwards: Bool) -> OSStatus? {
            let action = state.withLock { state -> ((Call) -> OSStatus?)? in
                let index = state.rules.firstIndex { rule in
                    rule.isAfterwards == afterwards && rule.remaining > 0 && rule.applies(call)
                }
                guard let index else { return nil }
                state.rules[index].remaining -= 1
                return state.rules[index].action
            }
            return action?(call)
        }

        static func answer(_ call: Call, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
            state.withLock { $0.calls.append(call) }
            if let status = ruled(call, afterwards: false) { return status }
            let (status, value) = state.withLock { $0.items.answer(call, groups: $0.groups, lockState: lockState) }
            if let status = ruled(call, afterwards: true) { return status }
            if let value { result?.pointee = value as CFTypeRef }
            return status
        }
    }
}
