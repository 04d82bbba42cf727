#if AUTH_LOCAL_AUTHENTICATION
    public import AuthStreams
    import Foundation
    import LocalAuthentication

    /// How the person proves that the device is theirs; see `SessionGate.deviceOwner(_:after:by:isPasscodeRequired:)`.
    public enum DeviceOwnerProof: Hashable, Sendable {
        /// Face ID, Touch ID or Optic ID; the passcode where they fail or are not set up.
        case biometricsOrPasscode
        /// Face ID, Touch ID or Optic ID alone. A person whose biometrics are not set up, are locked out or do not recognize them
        /// can only sign out, or sign in anew.
        case biometrics
    }

    extension SessionGate {
        /// Asks for Face ID, Touch ID or the passcode, by LocalAuthentication.
        ///
        /// ```swift
        /// gate: .deviceOwner("Unlock your notes.", after: .seconds(300))
        /// ```
        ///
        /// Face ID needs `NSFaceIDUsageDescription` in Info.plist. Each question is a new dialog: no earlier unlock of the device counts.
        ///
        /// | what LocalAuthentication says | error |
        /// | --- | --- |
        /// | the person, the app or the system cancelled | `cancelled` |
        /// | it did not match | `accessDenied` |
        /// | no passcode; biometrics not set up, not available or locked out | `deviceOwnerUnavailable`, whose explanation says what to do |
        /// | no dialog may be shown, as in an extension | `presentationUnavailable` |
        ///
        /// `AuthError.cause` has the code of LocalAuthentication.
        ///
        /// - Parameters:
        ///   - reason: Why the app asks, in the person's language and not empty. Touch ID and the passcode show it; Face ID shows the
        ///     text of Info.plist.
        ///   - absence: The time in the background after which the person is asked again; zero for each return.
        ///   - proof: What is asked for; biometrics or the passcode unless given.
        ///   - isPasscodeRequired: Whether a device without a passcode is refused, so that its owner has to set one or sign in anew. It
        ///     is, unless `false` is given: on such a device the gate then passes without a question.
        public static func deviceOwner(
            _ reason: String, after absence: Duration, by proof: DeviceOwnerProof = .biometricsOrPasscode,
            isPasscodeRequired: Bool = true
        ) -> SessionGate {
            SessionGate(after: absence) { _ in
                guard let error = try await DeviceOwnerDialog(proof).refusal(reason) else { return }
                if !isPasscodeRequired, (error as? LAError)?.code == .passcodeNotSet { return }
                throw AuthError(ofDeviceOwner: error)
            }
        }
    }

    /// One dialog of the system. It is dismissed when its task is cancelled.
    private final class DeviceOwnerDialog: Sendable {
        // Unsafe: a context is used for one question, and Apple's documentation allows `invalidate()` from any thread meanwhile.
        private nonisolated(unsafe) let context = LAContext()
        private let policy: LAPolicy

        init(_ proof: DeviceOwnerProof) {
            switch proof {
            case .biometricsOrPasscode: policy = .deviceOwnerAuthentication
            case .biometrics:
                policy = .deviceOwnerAuthenticationWithBiometrics
                // The button for a password of the app's own, which the gate does not have.
                context.localizedFallbackTitle = ""
            }
        }

        /// Asks the person.
        ///
        /// - Returns: Why they did not prove it; `nil` if they did.
        /// - Throws: `CancellationError`.
        func refusal(_ reason: String) async throws -> (any Error)? {
            try Task.checkCancellation()
            let outcome = Promise<(any Error)?>()
            return try await withTaskCancellationHandler {
                context.evaluatePolicy(policy, localizedReason: reason) { isOwner, error in
                    outcome.resolve(isOwner ? nil : error ?? LAError(.authenticationFailed))
                }
                guard let refusal = await outcome.value() else { throw CancellationError() }
                return refusal
            } onCancel: {
                context.invalidate()
            }
        }
    }

    extension AuthError {
        fileprivate init(ofDeviceOwner error: any Error) {
            let (code, explanation): (Code, String) =
                switch (error as? LAError)?.code {
                case .userCancel, .appCancel, .systemCancel:
                    (.cancelled, "The person or the system closed the dialog. Offer a button that calls `openGate()`.")
                case .authenticationFailed, .userFallback:
                    (
                        .accessDenied,
                        "Face ID, Touch ID or the passcode did not match. Offer a button that calls `openGate()`, and one to sign in."
                    )
                case .passcodeNotSet:
                    (
                        .deviceOwnerUnavailable,
                        """
                        The device has no passcode, so it does not know its owner. Ask the person to set one in Settings, or let such \
                        devices pass with `isPasscodeRequired: false`.
                        """
                    )
                case .biometryNotEnrolled:
                    (
                        .deviceOwnerUnavailable,
                        """
                        Face ID or Touch ID is not set up. Ask the person to set it up in Settings, or allow the passcode with \
                        `.biometricsOrPasscode`.
                        """
                    )
                case .biometryLockout:
                    (
                        .deviceOwnerUnavailable,
                        """
                        Face ID or Touch ID is locked after too many attempts, until the passcode is entered. Ask the person to lock \
                        and unlock the device, or allow the passcode with `.biometricsOrPasscode`.
                        """
                    )
                case .biometryNotAvailable:
                    (
                        .deviceOwnerUnavailable,
                        """
                        The device has no Face ID or Touch ID, or the person has not allowed the app to use it. Allow the passcode \
                        with `.biometricsOrPasscode`, and check `NSFaceIDUsageDescription` in Info.plist.
                        """
                    )
                case .notInteractive:
                    (
                        .presentationUnavailable,
                        "The system shows no dialog here. Ask while the app is in front, and not in an extension."
                    )
                case .invalidContext:
                    (.unexpected, "The dialog was dismissed before it was shown. Call `openGate()`.")
                default: (.unexpected, "LocalAuthentication failed. Look at the cause.")
                }
            self.init(code, explanation, cause: error)
        }
    }
#endif
