import AppleFoundation
import LocalAuthentication
import TestSupport
import Testing

@Suite(.appleDevice) struct LocalAuthenticationTests {
    private func evaluate(_ policy: LAPolicy) async -> LAError.Code? {
        await withCheckedContinuation { continuation in
            LAContext().evaluatePolicy(policy, localizedReason: "Unlock.") { isOwner, error in
                continuation.resume(returning: isOwner ? nil : (error as? LAError)?.code)
            }
        }
    }

    @Test(arguments: [
        (AppleDevice.LocalAuthentication.Biometry.notEnrolled, LAError.Code.biometryNotEnrolled),
        (.lockedOut, .biometryLockout), (.notAvailable, .biometryNotAvailable),
    ])
    func biometricsThatCannotBeUsedShowNoDialog(
        biometry: AppleDevice.LocalAuthentication.Biometry, code: LAError.Code
    ) async {
        AppleDevice.LocalAuthentication.biometry = biometry
        #expect(await evaluate(.deviceOwnerAuthenticationWithBiometrics) == code)
        #expect(AppleDevice.LocalAuthentication.asked.isEmpty)
        // The passcode takes their place.
        async let answer = evaluate(.deviceOwnerAuthentication)
        await dialog(1).succeed()
        #expect(await answer == nil)
    }

    @Test(arguments: [LAPolicy.deviceOwnerAuthentication, .deviceOwnerAuthenticationWithBiometrics])
    func deviceWithoutAPasscodeHasNoOwner(policy: LAPolicy) async {
        AppleDevice.LocalAuthentication.hasPasscode = false
        #expect(await evaluate(policy) == .passcodeNotSet)
    }

    @Test func invalidationDismissesTheDialog() async {
        let context = LAContext()
        let answer = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock.") { _, error in
                continuation.resume(returning: (error as? LAError)?.code)
            }
            context.invalidate()
        }
        let dialog = await dialog(1)
        #expect(answer == .appCancel && dialog.failure == .appCancel)
        // A late touch calls no one.
        dialog.succeed()
        let second = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock.") { _, error in
                continuation.resume(returning: (error as? LAError)?.code)
            }
        }
        #expect(second == .invalidContext)
    }

    private func dialog(_ number: Int) async -> AppleDevice.LocalAuthentication.Question {
        while AppleDevice.LocalAuthentication.asked.count < number { await Task.yield() }
        return AppleDevice.LocalAuthentication.asked[number - 1]
    }
}
