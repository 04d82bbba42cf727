import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// Sheets and suggestions one after the other, their ends, and a system that misbehaves.
@MainActor
@Suite(.appleDevice, .enabled(if: Signatures.isAvailable)) struct PasskeyTurnTests {
    private func nothingWasRefused() -> Bool { AppleDevice.Passkeys.refused.isEmpty }

    /// Waits until a request waits for its turn.
    private func isWaiting() async throws {
        try await wait(for: "a request to wait for its turn") { PasskeyTurn.waiting == 1 }
    }

    // MARK: Suggestions

    @Test func suggestionsArePendingUntilThePersonChooses() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let options = phone.requestOptions
        let attempt = phone.begin(.conditional, options)
        let suggestions = await AppleDevice.Passkeys.nextRequest()
        #expect(suggestions.style == .autoFill && AppleDevice.Passkeys.underWay === suggestions)
        suggestions.approve()
        #expect(try phone.accepts(await attempt.value.get(), for: options))
    }

    @Test(arguments: [SignInMethod.Kind.sheet, .immediate])
    func sheetReplacesSuggestions(mediation: SignInMethod.Kind) async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let suggestions = phone.begin(.conditional)
        let pending = await AppleDevice.Passkeys.nextRequest()
        let options = phone.requestOptions
        let attempt = phone.begin(mediation, options)
        #expect(await suggestions.value.code == .superseded)
        await AppleDevice.Passkeys.nextRequest().approve()
        #expect(try phone.accepts(await attempt.value.get(), for: options))
        #expect(AppleDevice.Passkeys.cancelled == [pending.controller] && nothingWasRefused())
    }

    @Test func newPasskeyReplacesSuggestions() async throws {
        let phone = PasskeyPhone()
        let suggestions = phone.begin(.conditional)
        _ = await AppleDevice.Passkeys.nextRequest()
        let attempt = phone.beginRegistration()
        #expect(await suggestions.value.code == .superseded)
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await attempt.value.get()
        #expect(nothingWasRefused())
    }

    @Test func appleSheetReplacesSuggestions() async throws {
        let phone = PasskeyPhone()
        let suggestions = phone.begin(.conditional)
        let pending = await AppleDevice.Passkeys.nextRequest()
        let apple = AppleProvider().authenticate(AuthRequest(presentation: .in(phone.window)))
        let attempt = Task { await apple.result }
        let sheet = await AppleDevice.AppleID.nextAttempt()
        #expect(AppleDevice.Passkeys.cancelled == [pending.controller] && AppleDevice.Passkeys.underWay == nil)
        #expect(await suggestions.value.code == .superseded)
        sheet.fail(ASAuthorizationError(.canceled))
        #expect(await attempt.value.code == .cancelled)
    }

    @Test func suggestionsWaitForTheSheet() async throws {
        let phone = PasskeyPhone()
        let attempt = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        let suggestions = phone.begin(.conditional)
        try await isWaiting()
        sheet.fail(ASAuthorizationError(.canceled))
        #expect(await attempt.value.code == .cancelled)
        #expect(await AppleDevice.Passkeys.nextRequest().style == .autoFill)
        #expect(nothingWasRefused() && AppleDevice.Passkeys.cancelled.isEmpty)
        suggestions.cancel()
        _ = await suggestions.value
    }

    @Test func suggestionsReplaceNoOthers() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let first = phone.begin(.conditional)
        let pending = await AppleDevice.Passkeys.nextRequest()
        let second = phone.begin(.conditional)
        try await isWaiting()
        pending.approve()
        _ = try await first.value.get()
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await second.value.get()
        #expect(nothingWasRefused() && AppleDevice.Passkeys.cancelled.isEmpty)
    }

    // MARK: Immediate

    @Test func immediateQuestionIsASheetWhereThereIsAPasskey() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let attempt = phone.begin(.immediate)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.style == .immediate)
        sheet.fail(ASAuthorizationError(.canceled))
        #expect(await attempt.value.code == .noPasskey)
    }

    @Test func immediateQuestionWithoutAPasskeyShowsNothing() async {
        #expect(await PasskeyPhone().begin(.immediate).value.code == .noPasskey)
        #expect(AppleDevice.Passkeys.waitingRequests == 0)
    }

    @Test func questionAtLaunchWaitsUntilTheSceneIsActive() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        AppleDevice.App.move(phone.scene, to: .foregroundInactive)
        let attempt = phone.begin(.immediate)
        let ended = phone.begin(.sheet)
        ended.cancel()
        #expect(await ended.value.code == .cancelled)
        #expect(AppleDevice.Passkeys.underWay == nil)
        AppleDevice.App.move(phone.scene, to: .foregroundActive)
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await attempt.value.get()
    }

    // MARK: One sheet at a time

    @Test func secondSheetWaitsForTheFirst() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let first = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        let second = phone.begin()
        try await isWaiting()
        sheet.fail(ASAuthorizationError(.canceled))
        #expect(await first.value.code == .cancelled)
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await second.value.get()
        #expect(nothingWasRefused())
    }

    @Test func sheetThatWaitsCanBeCancelled() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let first = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        let second = phone.begin()
        try await isWaiting()
        second.cancel()
        #expect(await second.value.code == .cancelled)
        sheet.approve()
        _ = try await first.value.get()
        #expect(AppleDevice.Passkeys.waitingRequests == 0)
    }

    @Test func requestOfAnotherLibraryIsNamed() async throws {
        let phone = PasskeyPhone()
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: PasskeyPhone.domain)
        let request = provider.createCredentialAssertionRequest(challenge: Data(count: 16))
        let other = ASAuthorizationController(authorizationRequests: [request])
        other.performRequests()
        _ = await AppleDevice.Passkeys.nextRequest()
        #expect(await phone.begin().value.code == .presentationUnavailable)
    }

    // MARK: Cancel

    @Test(arguments: [SignInMethod.Kind.sheet, .immediate, .conditional])
    func cancelledTaskEndsTheRequest(mediation: SignInMethod.Kind) async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let attempt = phone.begin(mediation)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        #expect(AppleDevice.Passkeys.cancelled == [] || AppleDevice.Passkeys.cancelled == [sheet.controller])
        // The next one waits for the cancel.
        let next = phone.begin(mediation)
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await next.value.get()
        #expect(AppleDevice.Passkeys.cancelled == [sheet.controller] && nothingWasRefused())
    }

    @Test func cancelBeforeTheBeginningShowsNothing() async {
        let phone = PasskeyPhone()
        let attempt = phone.begin()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        #expect(AppleDevice.Passkeys.underWay == nil && AppleDevice.Passkeys.waitingRequests == 0)
    }

    @Test func cancelOfARegistrationEndsIt() async {
        let phone = PasskeyPhone()
        let attempt = phone.beginRegistration()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        // The person agreed at the same moment.
        sheet.approve()
    }

    // MARK: A system that misbehaves

    @Test func secondCallChangesNothing() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let options = phone.requestOptions
        let attempt = phone.begin(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        sheet.approve(times: 2)
        sheet.fail(ASAuthorizationError(.failed))
        #expect(try phone.accepts(await attempt.value.get(), for: options))
        let other = phone.begin()
        let second = await AppleDevice.Passkeys.nextRequest()
        second.fail(ASAuthorizationError(.canceled), times: 2)
        second.approve()
        #expect(await other.value.code == .cancelled)
    }

    @Test func callOnAnotherThreadCounts() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let attempt = phone.begin()
        await AppleDevice.Passkeys.nextRequest().approve(on: .elsewhere)
        _ = try await attempt.value.get()
        let other = phone.beginRegistration()
        await AppleDevice.Passkeys.nextRequest().fail(ASAuthorizationError(.canceled), on: .elsewhere)
        #expect(await other.value.code == .cancelled)
    }

    @Test func lateCallEndsNoOtherAttempt() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let first = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        first.cancel()
        #expect(await first.value.code == .cancelled)
        let options = phone.requestOptions
        let second = phone.begin(.sheet, options)
        let other = await AppleDevice.Passkeys.nextRequest()
        sheet.fail(ASAuthorizationError(.failed))
        other.approve()
        #expect(try phone.accepts(await second.value.get(), for: options))
    }

    @Test func systemThatDoesNotAnswerACancelHoldsUpNoOtherSheet() async throws {
        let clock = ManualClock()
        let phone = PasskeyPhone(clock: clock.authClock(startingAt: .distantPast))
        try phone.holdPasskey()
        AppleDevice.Passkeys.cancelCallsDelegate = false
        let first = phone.begin(.conditional)
        let pending = await AppleDevice.Passkeys.nextRequest()
        let second = phone.begin()
        #expect(await first.value.code == .superseded)
        await clock.waitForSleepers(count: 1)
        #expect(AppleDevice.Passkeys.waitingRequests == 0)
        // The system has forgotten the request, without a call of the delegate.
        AppleDevice.Passkeys.forgetUnderWay()
        clock.advance(by: .seconds(1))
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await second.value.get()
        // Late, and of no attempt.
        pending.approve()
    }

    @Test func sceneThatIsDisconnectedEndsItsRequest() async throws {
        let phone = PasskeyPhone()
        let attempt = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        AppleDevice.App.disconnect(phone.scene)
        #expect(await attempt.value.code == .presentationUnavailable)
        try await wait(for: "the sheet to be cancelled") { AppleDevice.Passkeys.cancelled == [sheet.controller] }
    }

    @Test func sceneThatIsDisconnectedHoldsUpNoOtherSheet() async throws {
        let clock = ManualClock()
        let phone = PasskeyPhone(clock: clock.authClock(startingAt: .distantPast))
        AppleDevice.Passkeys.cancelCallsDelegate = false
        let attempt = phone.begin()
        _ = await AppleDevice.Passkeys.nextRequest()
        AppleDevice.App.disconnect(phone.scene)
        #expect(await attempt.value.code == .presentationUnavailable)
        let other = PasskeyPhone(clock: clock.authClock(startingAt: .distantPast))
        let second = other.begin()
        await clock.waitForSleepers(count: 1)
        AppleDevice.Passkeys.forgetUnderWay()
        clock.advance(by: .seconds(1))
        await AppleDevice.Passkeys.nextRequest().fail(ASAuthorizationError(.canceled))
        #expect(await second.value.code == .cancelled)
    }

    @Test func sheetIsReleasedOnceItHasAnswered() async throws {
        let phone = PasskeyPhone()
        weak var delegate: AnyObject?
        let attempt = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        delegate = sheet.controller.delegate
        #expect(delegate != nil)
        sheet.fail(ASAuthorizationError(.canceled))
        _ = await attempt.value
        try await wait(for: "the delegate of the sheet to be released") { delegate == nil }
    }
}
