import AuthStreams
import AuthStreamsTesting
import Foundation
import LocalAuthentication
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// The gate that asks for Face ID, Touch ID or the passcode, in an app that the system moves.
@Suite(.appleDevice) @MainActor struct DeviceOwnerGateTests {
    private let clock = ManualClock()

    /// A service over a store that holds a session.
    private func service(_ gate: SessionGate, activity: AppActivity = .always) async throws -> AuthService {
        let store = MemorySessionStore()
        let before = service(over: store, nil, activity: .always)
        _ = try await before.signIn(with: .kakao).value
        await before.finish()
        return service(over: store, gate, activity: activity)
    }

    private func service(
        over store: MemorySessionStore, _ gate: SessionGate?, activity: AppActivity
    ) -> AuthService {
        var platform = AuthPlatform.isolated(
            store: store, clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000)))
        platform.activity = activity
        return AuthService(
            .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: platform,
            gate: gate)
    }

    private func dialog(_ number: Int) async throws -> AppleDevice.LocalAuthentication.Question {
        try await wait(for: "dialog \(number)") { AppleDevice.LocalAuthentication.asked.count >= number }
        return AppleDevice.LocalAuthentication.asked[number - 1]
    }

    private func refusal(_ auth: AuthService) async -> AuthError? {
        do throws(AuthError) {
            try await auth.openGate()
            return nil
        } catch {
            return error
        }
    }

    @Test func ownerUnlocksTheSession() async throws {
        let auth = try await service(.deviceOwner("Unlock the notes.", after: .seconds(300)))
        let dialog = try await dialog(1)
        #expect(auth.state == .restoring(.waitingForPerson))
        #expect(dialog.policy == .deviceOwnerAuthentication && dialog.reason == "Unlock the notes.")
        #expect(dialog.fallbackTitle == nil)
        dialog.succeed()
        #expect(await auth.states.prefix { $0.user != nil }.last?.user != nil)
    }

    @Test func biometricsAloneOfferNoPassword() async throws {
        let auth = try await service(.deviceOwner("Unlock.", after: .zero, by: .biometrics))
        let dialog = try await dialog(1)
        #expect(dialog.policy == .deviceOwnerAuthenticationWithBiometrics && dialog.fallbackTitle == "")
        dialog.succeed()
        #expect(await auth.states.prefix { $0.user != nil }.last?.user != nil)
    }

    @Test(arguments: [
        (LAError.Code.userCancel, AuthError.Code.cancelled), (.appCancel, .cancelled), (.systemCancel, .cancelled),
        (.authenticationFailed, .accessDenied), (.userFallback, .accessDenied),
        (.notInteractive, .presentationUnavailable), (.invalidContext, .unexpected),
    ])
    func failureOfTheDialogIsTheCallersError(code: LAError.Code, expected: AuthError.Code) async throws {
        let auth = try await service(.deviceOwner("Unlock.", after: .zero))
        try await dialog(1).fail(.userCancel)
        try await wait(for: "the refusal") { auth.gateState == .closed }
        async let refusal = refusal(auth)
        try await dialog(2).fail(code)
        let error = await refusal
        #expect(error?.code == expected && error?.cause?.domain == LAErrorDomain && error?.cause?.code == code.rawValue)
        #expect(auth.state == .restoring(.waitingForPerson))
    }

    @Test(arguments: [
        (AppleDevice.LocalAuthentication.Biometry.notEnrolled, LAError.Code.biometryNotEnrolled, "Settings"),
        (.lockedOut, .biometryLockout, "unlock the device"),
        (.notAvailable, .biometryNotAvailable, "NSFaceIDUsageDescription"),
    ])
    func biometricsThatCannotBeUsedSayWhatToDo(
        biometry: AppleDevice.LocalAuthentication.Biometry, code: LAError.Code, advice: String
    ) async throws {
        AppleDevice.LocalAuthentication.biometry = biometry
        let auth = try await service(.deviceOwner("Unlock.", after: .zero, by: .biometrics))
        let error = await refusal(auth)
        #expect(error?.code == .deviceOwnerUnavailable && error?.cause?.code == code.rawValue)
        #expect(error?.explanation.contains(advice) == true)
        #expect(auth.state == .restoring(.waitingForPerson))
    }

    @Test func deviceWithoutAPasscodeIsRefusedUnlessTheAppSaysSo() async throws {
        AppleDevice.LocalAuthentication.hasPasscode = false
        let strict = try await service(.deviceOwner("Unlock.", after: .zero))
        let error = await refusal(strict)
        #expect(error?.code == .deviceOwnerUnavailable && error?.cause?.code == LAError.Code.passcodeNotSet.rawValue)
        let lenient = try await service(.deviceOwner("Unlock.", after: .zero, isPasscodeRequired: false))
        #expect(await refusal(lenient) == nil)
        #expect(lenient.user != nil && AppleDevice.LocalAuthentication.asked.isEmpty)
    }

    @Test func signOutDismissesTheDialog() async throws {
        let auth = try await service(.deviceOwner("Unlock.", after: .zero))
        let dialog = try await dialog(1)
        try await auth.signOut()
        try await wait(for: "the dialog to be dismissed") { dialog.failure == .appCancel }
        #expect(auth.state == .signedOut(.user))
    }

    @Test func eachQuestionIsANewDialog() async throws {
        let auth = try await service(.deviceOwner("Unlock.", after: .zero))
        try await dialog(1).fail(.userCancel)
        try await wait(for: "the refusal") { auth.gateState == .closed }
        async let refusal = refusal(auth)
        try await dialog(2).succeed()
        #expect(await refusal == nil)
    }

    // MARK: Where the app is

    @Test func systemMovesTheApp() async throws {
        let activity = AppActivity.system
        let scene = AppleDevice.App.connect(.background)
        AppleDevice.App.move(scene, to: .foregroundInactive)
        #expect(activity.phase == .inactive)
        AppleDevice.App.move(scene, to: .foregroundActive)
        #expect(activity.phase == .active)
        AppleDevice.App.move(scene, to: .foregroundInactive)
        #expect(activity.phase == .inactive)
        AppleDevice.App.move(scene, to: .background)
        #expect(activity.phase == .background)
        #expect(AuthPlatform.app(store: MemorySessionStore()).activity === activity)
    }

    @Test func appThatWasLaunchedInTheBackgroundAsksOnceItIsActiveAndAfterAnAbsence() async throws {
        let scene = AppleDevice.App.connect(.foregroundInactive)
        AppleDevice.App.move(scene, to: .background)
        let auth = try await service(.deviceOwner("Unlock.", after: .seconds(300)), activity: .system)
        _ = await auth.states.prefix { $0 == .restoring(.waitingForPerson) }
        #expect(AppleDevice.LocalAuthentication.asked.isEmpty)
        AppleDevice.App.move(scene, to: .foregroundActive)
        try await dialog(1).succeed()
        _ = await auth.states.prefix { $0.user != nil }
        AppleDevice.App.move(scene, to: .background)
        clock.advance(by: .seconds(300))
        AppleDevice.App.move(scene, to: .foregroundActive)
        async let token = auth.accessToken()
        try await dialog(2).succeed()
        #expect(try await token.reveal().isEmpty == false)
        #expect(auth.gateState == .open && AppleDevice.LocalAuthentication.asked.count == 2)
    }

    // MARK: Screens

    @Test func viewModelShowsTheGateAndOpensIt() async throws {
        let auth = AuthService.preview(.waitingForPerson)
        let model = AuthViewModel(auth)
        #expect(model.gateState == .closed && model.state == .restoring(.waitingForPerson))
        var seen: [SessionGate.State] = []
        model.observe(for: model) { _, model in
            if seen.last != model.gateState { seen.append(model.gateState) }
        }
        model.openGate()
        #expect(model.intents == [.openGate])
        try await wait(for: "the user") { model.user != nil && model.gateState == .open && !model.isBusy }
        #expect(seen.first == .closed && seen.last == .open)
    }
}
