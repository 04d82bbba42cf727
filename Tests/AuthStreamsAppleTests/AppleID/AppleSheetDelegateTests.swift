import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// How Apple's sheet may misbehave, and what becomes of the attempt.
@MainActor
@Suite(.appleDevice) struct AppleSheetDelegateTests {
    @Test func bothDelegateMethodsAreTheWitnesses() async throws {
        let app = SheetFixture()
        _ = try await app.result { $0.succeed(with: $0.credential()) }.get()
        #expect(await app.error { $0.fail(ASAuthorizationError(.canceled)) }?.code == .cancelled)
        // The anchor comes by the third.
        _ = await app.result {
            #expect($0.anchor === app.window)
            $0.fail(ASAuthorizationError(.canceled))
        }
    }

    @Test func secondCallChangesNothing() async throws {
        let app = SheetFixture()
        let credential = try await app.result { attempt in
            // The name is stored before the attempt ends.
            attempt.succeed(with: attempt.credential(givenName: "민지"), times: 2)
            attempt.fail(ASAuthorizationError(.failed))
        }.get()
        #expect(credential.userID == SheetFixture.user)
        let error = await app.error { attempt in
            attempt.fail(ASAuthorizationError(.canceled), times: 2)
            attempt.succeed(with: attempt.credential())
        }
        #expect(error?.code == .cancelled)
    }

    @Test func callOnAnotherThreadCounts() async throws {
        let app = SheetFixture()
        _ = try await app.result { $0.succeed(with: $0.credential(), on: .elsewhere) }.get()
        let error = await app.error { $0.fail(ASAuthorizationError(.canceled), on: .elsewhere) }
        #expect(error?.code == .cancelled)
    }

    @Test func sheetThatNeverAnswersEndsByItsTimeLimit() async throws {
        let (app, clock) = (SheetFixture(), ManualClock())
        app.apple = AppleProvider(timeLimit: .seconds(90), clock: clock.authClock(startingAt: .distantPast))
        let attempt = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(90))
        #expect(await attempt.value.code == .timedOut)
        try await wait(for: "the sheet to be cancelled") { AppleDevice.AppleID.cancelled == [sheet.controller] }
        // Late, and of no attempt.
        sheet.succeed(with: sheet.credential())
    }

    @Test func cancelledTaskClosesTheSheetAndLaterCallsChangeNothing() async throws {
        let app = SheetFixture()
        let attempt = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        try await wait(for: "the sheet to be cancelled") { AppleDevice.AppleID.cancelled == [sheet.controller] }
        sheet.succeed(with: sheet.credential())
        sheet.fail(ASAuthorizationError(.unknown))
    }

    @Test func sceneThatIsDisconnectedEndsItsAttemptAlone() async throws {
        let (app, other) = (SheetFixture(), SheetFixture())
        let attempt = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        let second = other.begin()
        let otherSheet = await AppleDevice.AppleID.nextAttempt()
        AppleDevice.App.disconnect(app.scene)
        #expect(await attempt.value.code == .presentationUnavailable)
        try await wait(for: "the sheet to be cancelled") { AppleDevice.AppleID.cancelled == [sheet.controller] }
        otherSheet.succeed(with: otherSheet.credential())
        _ = try await second.value.get()
    }

    @Test func answerAfterTheCancelIsNoResult() async throws {
        let app = SheetFixture()
        AppleDevice.AppleID.cancelCallsDelegate = false
        let attempt = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        weak var delegate: AnyObject?
        delegate = sheet.controller.delegate
        #expect(delegate != nil, "It waits for the answer, which may have a name.")
        sheet.succeed(with: sheet.credential())
        try await wait(for: "the delegate of the sheet to be released") { delegate == nil }
    }

    /// Apple sends it once.
    @Test func profileOfAnAnswerAfterTheSceneIsGoneIsKept() async throws {
        let (app, kept) = (SheetFixture(), Promise<Credential>())
        AppleDevice.AppleID.cancelCallsDelegate = false
        var request = app.request
        request.keepProfile = { kept.resolve($0) }
        let attempt = app.begin(request)
        let sheet = await AppleDevice.AppleID.nextAttempt()
        AppleDevice.App.disconnect(app.scene)
        #expect(await attempt.value.code == .presentationUnavailable)
        // The system had the answer before it was told to close the sheet.
        sheet.succeed(with: sheet.credential(email: "minji@example.com"))
        try await wait(for: "the profile to be kept") { kept.current != nil }
        #expect(kept.current?.profile == Credential.Profile(email: "minji@example.com"))
    }

    @Test func attemptEndsOnlyWhenItsProfileIsKept() async {
        let app = SheetFixture()
        let (isAsked, isKept) = (Promise<Void>(), Promise<Void>())
        var request = app.request
        request.keepProfile = { _ in
            isAsked.resolve(())
            _ = await isKept.value()
        }
        let attempt = app.begin(request)
        let sheet = await AppleDevice.AppleID.nextAttempt()
        sheet.succeed(with: sheet.credential(email: "minji@example.com"))
        _ = await isAsked.value()
        // Only an attempt that has not ended can be cancelled.
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled)
        isKept.resolve(())
    }

    @Test func attemptsAtOnceGetTheirOwnAnswers() async throws {
        let app = SheetFixture()
        let first = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        let second = app.begin()
        let other = await AppleDevice.AppleID.nextAttempt()
        other.succeed(with: other.credential())
        sheet.succeed(with: sheet.credential())
        let nonces = try await [first.value.get(), second.value.get()].compactMap(\.rawNonce)
        #expect(nonces.map(AppleNonce.hashed) == [sheet.request?.nonce, other.request?.nonce])
    }

    @Test func answerOfOneSheetEndsNoOther() async throws {
        let app = SheetFixture()
        let first = app.begin()
        let sheet = await AppleDevice.AppleID.nextAttempt()
        let second = app.begin()
        let other = await AppleDevice.AppleID.nextAttempt()
        // The answer to the second sheet, at the delegate of the first.
        sheet.succeed(with: other.credential())
        #expect(await first.value.code == .stateMismatch)
        other.succeed(with: other.credential())
        _ = try await second.value.get()
    }

    @Test func sheetIsReleasedOnceItHasAnswered() async throws {
        let app = SheetFixture()
        weak var delegate: AnyObject?
        _ = await app.result { attempt in
            delegate = attempt.controller.delegate
            #expect(delegate != nil)
            attempt.fail(ASAuthorizationError(.canceled))
        }
        // What released it last may still be running.
        try await wait(for: "the delegate of the sheet to be released") { delegate == nil }
    }
}
