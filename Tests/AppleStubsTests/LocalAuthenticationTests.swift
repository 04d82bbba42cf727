import AppleFoundation
import Foundation
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

    @Test(arguments: [LAError.Code.userCancel, .authenticationFailed, .userFallback, .systemCancel])
    func dialogEndsAsThePersonSays(code: LAError.Code) async {
        async let answer = evaluate(.deviceOwnerAuthenticationWithBiometrics)
        let dialog = await dialog(1)
        #expect(dialog.policy == .deviceOwnerAuthenticationWithBiometrics && dialog.reason == "Unlock.")
        dialog.fail(code)
        #expect(await answer == code && dialog.failure == code)
    }

    /// Code knows the errors by their numbers where a system lacks the name.
    @Test func codesAreThoseOfTheHeader() {
        let codes: [LAError.Code] = [
            .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotAvailable,
            .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext,
        ]
        #expect(codes.map(\.rawValue) == [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10])
        #expect(LAError.Code.notInteractive.rawValue == -1004)
        let error = LAError(.userCancel) as NSError
        #expect(error.domain == "com.apple.LocalAuthentication" && error.code == -2)
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
        // A late touch calls nothing.
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
