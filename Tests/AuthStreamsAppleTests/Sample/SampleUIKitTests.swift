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

/// The sample app with UIKit, from its first screen to the last.
@Suite(.appleDevice) @MainActor struct SampleUIKitTests {
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func personSignsInAtTheEmulatorAndOut(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let board = try Board.emulated(at: emulator)
            let app = SampleScene(board)
            #expect(app.screen is LaunchViewController)
            try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
            app.signInButton(provider)?.tap()
            let sheet = try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            #expect(sheet.anchor === app.scene.keyWindow)
            try await app.wait(for: "the home screen") { $0.screen is HomeViewController }
            #expect(board.auth.user?.providers.map(\.id) == [provider])
            #expect(app.texts.filter { $0.hasPrefix("Unlink") }.count == 1)
            app.tap("Sign out")
            try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        }
    }

    @Test func lockedAppShowsAButtonThatUnlocksIt() async throws {
        let app = SampleScene(Board(.preview(.waitingForPerson)))
        try await app.wait(for: "Unlock")
        app.tap("Unlock")
        try await app.wait(for: "the home screen") { $0.screen is HomeViewController }
    }

    @Test func contentIsCoveredWhileTheGateIsClosedAfterAnAbsence() async throws {
        let activity = AppActivity(.active)
        var platform = AuthPlatform.isolated()
        platform.activity = activity
        let passes = Lock(false)
        let board = Board(
            AuthService(
                .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: platform,
                gate: SessionGate(after: .zero) { _ in if !passes.withLock({ $0 }) { throw CancellationError() } }))
        _ = try await board.auth.signIn(with: .kakao).value
        let app = SampleScene(board)
        try await app.wait(for: "the home screen") { $0.screen is HomeViewController }
        activity.move(to: .background)
        activity.move(to: .active)
        try await app.wait(for: "the cover") { app in
            app.scene.windows.contains { !$0.isHidden && $0.rootViewController is LaunchViewController }
        }
        #expect(app.screen is HomeViewController)
        passes.withLock { $0 = true }
        board.model.openGate()
        try await app.wait(for: "the home screen alone") { app in
            !app.scene.windows.contains { !$0.isHidden && $0.rootViewController is LaunchViewController }
        }
    }

    @Test func twentyTapsAreOneAttempt() async throws {
        let fixture = ViewModelFixture()
        let app = SampleScene(Board(fixture.auth))
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        for _ in 1...20 { app.signInButton(.kakao)?.tap() }
        await fixture.asked.value()
        fixture.answer.resolve(.success(()))
        try await app.wait(for: "kakao:1001")
        #expect(fixture.attempts.withLock { $0 } == 1)
    }

    @Test func oneMoreStepIsAskedInASheet() async throws {
        let fixture = PromptsFixture(PromptsFixture.factors)
        let app = SampleScene(Board(fixture.auth))
        let window = try #require(app.scene.keyWindow)
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        app.signInButton(.kakao)?.tap()
        try await app.wait(for: "the sheet") { $0.scene.keyWindow !== window }
        let sheet = app.screen?.presentedViewController as? UIHostingController<AuthPromptView>
        try #require(sheet?.host).root.press(AuthPromptTexts.standard(for: .current).factors["sms"] ?? "")
        try await app.wait(for: "kakao:1001")
        #expect(app.scene.keyWindow === window && app.scene.windows == [window])
    }

    @Test func linkInTheMiddleOfALoginIsOpenedOnTheHomeScreen() async throws {
        let fixture = ViewModelFixture()
        let app = SampleScene(Board(fixture.auth))
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        app.signInButton(.kakao)?.tap()
        await fixture.asked.value()
        AppleDevice.App.deliver(URL(literal: "pulseboard://posts/7"), to: app.scene)
        fixture.answer.resolve(.success(()))
        try await app.wait(for: "Post 7")
        #expect(app.screen is HomeViewController)
    }

    @Test func linkThatLaunchesTheAppIsOpened() async throws {
        let board = Board(.preview(.signedIn))
        let app = SampleScene(board, urls: [URL(literal: "pulseboard://posts/7")])
        try await app.wait(for: "the home screen") { $0.screen is HomeViewController }
        #expect(app.texts.contains("Post 7"))
    }

    @Test func universalLinkIsOpened() async throws {
        let app = SampleScene(Board(.preview(.signedIn)))
        try await app.wait(for: "Minji Kim")
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = URL(literal: "https://pulseboard.example.com/8")
        AppleDevice.App.deliver(activity, to: app.scene)
        #expect(app.texts.contains("There is no page https://pulseboard.example.com/8."))
    }

    @Test func failedLoginIsTold() async throws {
        let board = Board(.preview(failing: .network))
        let app = SampleScene(board)
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        // The message is below everything else.
        let last = app.texts.last
        app.signInButton(.kakao)?.tap()
        try await app.wait(for: "the message") { $0.texts.last != last }
        #expect(app.screen is LoginViewController)
    }

    @Test func failedLinkIsToldUntilTheNextAttempt() async throws {
        let board = Board(.preview(.signedIn, failing: .network))
        let app = SampleScene(board)
        try await app.wait(for: "Link Kakao")
        // The message is below everything else.
        let last = app.texts.last
        app.tap("Link Kakao")
        try await app.wait(for: "the message") { $0.texts.last != last }
        app.tap("Sign out")
        #expect(app.texts.last == last)
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
    }

    @Test func providerThatIsAskedIsNamedAndMayBeCancelled() async throws {
        let fixture = ViewModelFixture()
        let app = SampleScene(Board(fixture.auth))
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        app.signInButton(.google)?.tap()
        try await app.wait(for: "Link Kakao")
        #expect(!app.texts.contains("Cancel"))
        app.tap("Link Kakao")
        try await app.wait(for: "Kakao asks you …")
        app.tap("Cancel")
        await fixture.cancelled.value()
        try await app.wait(for: "the question to close") { !$0.texts.contains("Cancel") }
    }

    @Test func accountIsDeletedOnlyAfterTheConfirmation() async throws {
        let board = Board(.preview(.signedIn))
        let app = SampleScene(board)
        try await app.wait(for: "Delete account")
        for answer in ["Cancel", "Delete"] {
            app.tap("Delete account")
            let alert = try #require(app.screen?.presentedViewController as? UIAlertController)
            #expect(board.model.intents.isEmpty && board.auth.user != nil)
            alert.tap(answer)
            #expect(board.model.isBusy == (answer == "Delete"))
        }
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
    }

    /// Neither screens nor the scene keep each other, or a controller that was replaced.
    @Test func screenThatWasReplacedIsReleased() async throws {
        let board = Board(.preview(.signedIn))
        let app = SampleScene(board)
        try await app.wait(for: "the home screen") { $0.screen is HomeViewController }
        weak let home = app.screen
        board.model.signOut()
        try await app.wait(for: "the login screen") { $0.screen is LoginViewController }
        try await app.wait(for: "the home screen to be released") { _ in home == nil }
    }
}
