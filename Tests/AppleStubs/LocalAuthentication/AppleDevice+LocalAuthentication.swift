import Foundation

@available(tvOS, unavailable)
extension AppleDevice {
    /// What tests control of Face ID, Touch ID and the passcode.
    public enum LocalAuthentication {
        /// The biometry of the device.
        public enum Biometry: Sendable {
            case enrolled, notEnrolled, lockedOut, notAvailable
        }

        /// A dialog that is up, or has ended.
        public final class Question: Sendable {
            public let policy: LAPolicy
            public let reason: String
            public let fallbackTitle: String?
            private let reply: Locked<(@Sendable (Bool, (any Error)?) -> Void)?>
            private let outcome = Locked<LAError.Code?>(nil)

            init(
                _ policy: LAPolicy, reason: String, fallbackTitle: String?,
                reply: @escaping @Sendable (Bool, (any Error)?) -> Void
            ) {
                (self.policy, self.reason, self.fallbackTitle) = (policy, reason, fallbackTitle)
                self.reply = Locked(reply)
            }

            /// The code with which it has failed; `nil` while it is up, and after a success.
            public var failure: LAError.Code? { outcome.withLock { $0 } }

            /// Face ID, Touch ID or the passcode matches.
            public func succeed() { end(nil) }

            /// It ends without that. ``LAError/Code/userCancel`` is the person's cancel.
            public func fail(_ code: LAError.Code) { end(code) }

            /// The reply is called once, on a queue of the framework.
            private func end(_ code: LAError.Code?) {
                let reply = reply.withLock { reply in
                    defer { reply = nil }
                    return reply
                }
                guard let reply else { return }
                outcome.withLock { $0 = code }
                DispatchQueue.global().async { reply(code == nil, code.map { LAError($0) }) }
            }
        }

        private struct State {
            var biometry = Biometry.enrolled
            var hasPasscode = true
            var asked: [Question] = []
        }

        private static let state: Locked<State> = {
            let state = Locked(State())
            onReset { state.withLock { $0 = State() } }
            return state
        }()

        public static var biometry: Biometry {
            get { state.withLock { $0.biometry } }
            set { state.withLock { $0.biometry = newValue } }
        }

        public static var hasPasscode: Bool {
            get { state.withLock { $0.hasPasscode } }
            set { state.withLock { $0.hasPasscode = newValue } }
        }

        /// The dialogs that the person has seen, in order. One that cannot be shown is not among them.
        public static var asked: [Question] { state.withLock { $0.asked } }

        static func ask(_ question: Question) {
            guard let obstacle = obstacle(to: question.policy) else {
                return state.withLock { $0.asked.append(question) }
            }
            question.fail(obstacle)
        }

        /// Why the policy cannot be evaluated.
        private static func obstacle(to policy: LAPolicy) -> LAError.Code? {
            guard hasPasscode else { return .passcodeNotSet }
            // The passcode takes the place of biometry that fails.
            guard policy == .deviceOwnerAuthenticationWithBiometrics else { return nil }
            return switch biometry {
            case .enrolled: nil
            case .notEnrolled: .biometryNotEnrolled
            case .lockedOut: .biometryLockout
            case .notAvailable: .biometryNotAvailable
            }
        }
    }
}
