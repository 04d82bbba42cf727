import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import PulseBoardKit

/// The sample app with SwiftUI, from its first screen to the last.
@Suite(.appleDevice) @MainActor struct SampleSwiftUITests {
    /// The composition of the app as it is, in front of the emulator, which knows each of its clients and redirects.
    @Test(arguments: [
        ("Sign in with Apple", "Unlink Apple"), ("Sign in with Google", "Unlink Google"),
        ("Login with Kakao", "Unlink Kakao"), ("Log in with NAVER", "Unlink Naver"),
    ])
    func personSignsInAtTheEmulatorAndOut(button: String, identity: String) async throws {
        try await withEmulator { emulator in
            let board = try Board.emulated(at: emulator)
            AppleDevice.App.connect()
            let screen = SampleScreen(board)
            await screen.wait(for: "Log in with NAVER")
            screen.host.tap(button)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            await screen.wait(for: identity)
            #expect(screen.texts.filter { $0.hasPrefix("Unlink") } == [identity])
            #expect(AppleDevice.App.opened.isEmpty)
            screen.tap("Sign out")
            await screen.wait(for: "Log in with NAVER")
            #expect(board.auth.user == nil)
        }
    }

    @Test func personLinksUnlinksSignsOutEverywhereAndDeletesTheAccount() async throws {
        try await withEmulator { emulator in
            let board = try Board.emulated(at: emulator)
            AppleDevice.App.connect()
            let screen = SampleScreen(board)
            let person = PhonePerson(base: emulator.baseURL)
            await screen.wait(for: "Log in with NAVER")
            screen.host.tap("Login with Kakao")
            try await person.agreeInTheSheet()
            await screen.wait(for: "Link Google")
            screen.tap("Link Google")
            try await person.agreeInTheSheet()
            await screen.wait(for: "Unlink Google")
            screen.tap("Unlink Google")
            await screen.wait(for: "Link Google")
            screen.tap("Sign out everywhere")
            await screen.wait(for: "Log in with NAVER")

            screen.host.tap("Login with Kakao")
            try await person.agreeInTheSheet()
            await screen.wait(for: "Delete account")
            screen.tap("Delete account")
            await screen.wait(for: "Delete")
            screen.tap("Delete")
            try await person.agreeInTheSheet()
            await screen.wait(for: "Log in with NAVER")
            #expect(board.auth.user == nil)
        }
    }

    @Test func accountIsDeletedOnlyAfterTheConfirmation() async {
        let board = Board(.preview(.signedIn))
        let screen = SampleScreen(board)
        await screen.wait(for: "Delete account")
        screen.tap("Delete account")
        await screen.wait(for: "Delete")
        #expect(board.model.intents.isEmpty && board.auth.user != nil)
        screen.tap("Delete")
        await screen.wait(for: "Login with Kakao")
    }

    @Test func launchScreenStaysUntilStorageWasRead() {
        let root = SampleScreen(Board(.preview(.restoring))).host.root
        #expect(root.texts.isEmpty && root.all("ProgressView").count == 1)
    }

    @Test func lockedAppShowsAButtonThatUnlocksIt() async {
        let screen = SampleScreen(Board(.preview(.waitingForPerson)))
        #expect(screen.texts == ["Unlock", "Sign out"])
        screen.tap("Unlock")
        await screen.host.wait { $0.texts.contains("Delete account") && !$0.texts.contains("Unlock") }
        #expect(screen.texts.contains("Minji Kim") && !screen.texts.contains("Unlock"))
    }

    @Test func contentIsCoveredWhileTheGateIsClosedAfterAnAbsence() async throws {
        let activity = AppActivity(.active)
        var platform = AuthPlatform.isolated()
        platform.activity = activity
        let board = Board(
            AuthService(
                .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: platform,
                gate: SessionGate(after: .zero) { _ in throw CancellationError() }))
        _ = try await board.auth.signIn(with: .kakao).value
        let screen = SampleScreen(board)
        await screen.wait(for: "Delete account")
        activity.move(to: .background)
        activity.move(to: .active)
        await screen.wait(for: "Unlock")
        // It stays below.
        #expect(screen.texts.contains("Delete account"))
    }

    @Test func twentyTapsAreOneAttempt() async {
        let fixture = ViewModelFixture()
        let screen = SampleScreen(Board(fixture.auth))
        await screen.wait(for: "Login with Kakao")
        for _ in 1...20 { screen.host.tap("Login with Kakao") }
        await fixture.asked.value()
        fixture.answer.resolve(.success(()))
        await screen.wait(for: "kakao:1001")
        #expect(fixture.attempts.withLock { $0 } == 1)
    }

    /// The link waits for the log-in, is opened once, and belongs to the user who sees it.
    @Test func linkInTheMiddleOfALoginIsOpenedOnTheHomeScreen() async {
        let fixture = ViewModelFixture()
        let board = Board(fixture.auth)
        let screen = SampleScreen(board)
        await screen.wait(for: "Login with Kakao")
        screen.host.tap("Login with Kakao")
        await fixture.asked.value()
        screen.host.open(URL(literal: "pulseboard://posts/7"))
        await screen.wait(for: "Log in to open the link.")
        fixture.answer.resolve(.success(()))
        await screen.wait(for: "Post 7")
        #expect(!screen.texts.contains("Login with Kakao"))

        screen.tap("Sign out")
        await screen.wait(for: "Sign in with Google")
        #expect(!screen.texts.contains("Log in to open the link."))
        screen.host.tap("Sign in with Google")
        await screen.wait(for: "google.com:1001")
        screen.host.drawNow()
        #expect(!screen.texts.contains("Post 7"))
    }

    @Test func linkOnTheHomeScreenIsOpenedAtOnceAndTheNextReplacesIt() async {
        let screen = SampleScreen(Board(.preview(.signedIn)))
        await screen.wait(for: "Minji Kim")
        screen.host.open(URL(literal: "pulseboard://posts/7"))
        await screen.wait(for: "Close")
        #expect(screen.texts.contains("Post 7"))
        screen.host.open(URL(literal: "pulseboard://users/3?token=x"))
        await screen.wait(for: "There is no page pulseboard://users/3.")
        #expect(!screen.texts.contains("Post 7"))
        screen.tap("Close")
        screen.host.drawNow()
        #expect(!screen.texts.contains("Close"))
    }

    @Test func failedLoginIsToldUntilItIsRead() async {
        let screen = SampleScreen(Board(.preview(failing: .network)))
        await screen.wait(for: "Login with Kakao")
        screen.host.tap("Login with Kakao")
        await screen.wait(for: "OK")
        screen.host.drawNow()
        #expect(screen.texts.contains("OK"))
        screen.tap("OK")
        screen.host.drawNow()
        #expect(!screen.texts.contains("OK"))
    }

    /// The errors of the home screen's buttons come by the model.
    @Test func failedLinkIsTold() async {
        let screen = SampleScreen(Board(.preview(.signedIn, failing: .network)))
        await screen.wait(for: "Link Kakao")
        screen.tap("Link Kakao")
        await screen.wait(for: "OK")
        #expect(screen.texts.contains("Minji Kim"))
    }

    @Test func oneMoreStepIsAskedInASheet() async {
        let fixture = PromptsFixture(PromptsFixture.factors)
        let screen = SampleScreen(Board(fixture.auth))
        await screen.wait(for: "Login with Kakao")
        screen.host.tap("Login with Kakao")
        await screen.host.waitForSheet("Confirm that it is you")
        screen.host.sheet?.press("Text message")
        await screen.wait(for: "kakao:1001")
        await screen.host.waitUntilClosed()
        #expect(screen.host.sheets == 1)
    }

    @Test func providerThatIsAskedIsNamedAndMayBeCancelled() async {
        let fixture = ViewModelFixture()
        let screen = SampleScreen(Board(fixture.auth))
        await screen.wait(for: "Sign in with Google")
        screen.host.tap("Sign in with Google")
        await screen.wait(for: "Link Kakao")
        screen.tap("Link Kakao")
        await screen.wait(for: "Kakao asks you …")
        screen.tap("Cancel")
        await fixture.cancelled.value()
        await screen.host.wait { !$0.texts.contains("Cancel") }
        // The person's own cancel is no message.
        #expect(!screen.texts.contains("OK"))
    }
}
