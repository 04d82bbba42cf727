import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

/// The sheets of UIKit: where and when they appear and go.
@Suite(.appleDevice) @MainActor struct AuthPromptPresenterTests {
    private typealias Sheet = UIHostingController<AuthPromptView>

    /// The sheets that are presented above the windows of a scene, the frontmost window last.
    private func sheets(in scene: UIWindowScene?) -> [Sheet] {
        (scene?.windows ?? []).compactMap { $0.rootViewController?.presentedViewController as? Sheet }
    }

    private func sheet(in scene: UIWindowScene?, _ title: String = "Enter the code") async throws -> Sheet {
        try await wait(for: "the sheet '\(title)'") { sheets(in: scene).last?.host?.root.texts.first == title }
        return try #require(sheets(in: scene).last)
    }

    private func answer(_ sheet: Sheet) throws {
        let host = try #require(sheet.host)
        host.root.type("123456", into: "Code")
        host.drawNow()
        host.root.press("Continue")
    }

    private func waitUntilGone(from scene: UIWindowScene) async throws {
        try await wait(for: "the sheet's window to go") { scene.windows.count == 1 }
        #expect(scene.keyWindow === scene.windows.first && scene.windows.first?.rootViewController != nil)
    }

    private func connect() -> UIWindowScene {
        let scene = AppleDevice.App.connect()
        // The sheet's window may be the key window by now.
        scene.windows.first?.rootViewController = UIViewController()
        return scene
    }

    @Test func stepsOfAnAttemptFollowOneAnotherInOneSheetAndItGoesWithTheAttempt() async throws {
        let scene = connect()
        scene.keyWindow?.tintColor = .systemBackground
        scene.keyWindow?.overrideUserInterfaceStyle = .dark
        let fixture = PromptsFixture(PromptsFixture.factors, PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        let first = try await sheet(in: scene, "Confirm that it is you")
        #expect(scene.keyWindow === scene.windows.last && scene.windows.count == 2, "The keyboard belongs to it.")
        #expect(scene.keyWindow?.windowLevel == UIWindow.Level(rawValue: 1))
        #expect(scene.keyWindow?.tintColor == .systemBackground && scene.keyWindow?.overrideUserInterfaceStyle == .dark)
        first.host?.root.press("Text message")
        let second = try await sheet(in: scene)
        #expect(second === first)
        try answer(second)
        #expect(await attempt.value == nil)
        try await waitUntilGone(from: scene)
        withExtendedLifetime(presenter) {}
    }

    @Test func sheetHasTheLanguageAndTheTextsOfThePresenter() async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.code)
        var texts = AuthPromptTexts.korean
        texts.titles[.code] = "문자 확인"
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "ko"), texts: texts)
        let attempt = fixture.signIn()
        try await sheet(in: scene, "문자 확인").swipeDown()
        #expect(await attempt.value == .cancelled)
        try await waitUntilGone(from: scene)
        withExtendedLifetime(presenter) {}
    }

    @Test(arguments: [true, false]) func personWhoClosesTheSheetCancelsTheAttempt(swipes: Bool) async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        let shown = try await sheet(in: scene)
        if swipes { shown.swipeDown() } else { shown.host?.root.press("Cancel") }
        #expect(await attempt.value == .cancelled)
        try await waitUntilGone(from: scene)
        // The next attempt asks again.
        let next = fixture.signIn()
        try answer(try await sheet(in: scene))
        #expect(await next.value == nil)
        withExtendedLifetime(presenter) {}
    }

    /// UIKit presents nothing on what presents something already, and what is presented goes with what it was presented on.
    @Test func sheetIsAboveAnAlertAndStaysWhenTheAppReplacesItsScreens() async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "No", style: .cancel))
        scene.keyWindow?.rootViewController?.present(alert, animated: true)
        let attempt = fixture.signIn()
        let shown = try await sheet(in: scene)
        alert.tap("No")
        scene.windows.first?.rootViewController = UIViewController()
        #expect(sheets(in: scene) == [shown])
        try answer(shown)
        #expect(await attempt.value == nil)
        withExtendedLifetime(presenter) {}
    }

    @Test func newerAttemptHasASheetOfItsOwnAndNeverTwoAtOnce() async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let first = fixture.signIn()
        let old = try await sheet(in: scene)
        let second = fixture.signIn(with: .naver)
        #expect(await first.value == .superseded)
        try await wait(for: "the newer attempt's sheet") {
            #expect(sheets(in: scene).count <= 1)
            return sheets(in: scene).last.map { $0 !== old } ?? false
        }
        try answer(try await sheet(in: scene))
        #expect(await second.value == nil)
        try await waitUntilGone(from: scene)
        withExtendedLifetime(presenter) {}
    }

    @Test func sheetWaitsForASceneAndMovesToAnotherOne() async throws {
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        // The countdown of the model, and the attempt's limit.
        await fixture.clock.waitForSleepers(count: 2)
        let scene = connect()
        let first = try await sheet(in: scene)
        first.host?.root.type("12", into: "Code")
        AppleDevice.App.disconnect(scene)
        let other = connect()
        let second = try await sheet(in: other)
        #expect(sheets(in: scene).isEmpty && second !== first && second.host?.root.inputs.map(\.text) == ["12"])
        try answer(second)
        #expect(await attempt.value == nil)
        withExtendedLifetime(presenter) {}
    }

    @Test func sheetAppearsInTheSceneOfTheWindowThatWasNamed() async throws {
        let (scene, other) = (connect(), connect())
        let window = try #require(scene.keyWindow)
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, in: .in(window), locale: Locale(identifier: "en"))
        AppleDevice.App.move(scene, to: .background)
        let attempt = fixture.signIn()
        await fixture.clock.waitForSleepers(count: 2)
        #expect(sheets(in: scene).isEmpty && sheets(in: other).isEmpty)
        AppleDevice.App.move(scene, to: .foregroundActive)
        try answer(try await sheet(in: scene))
        #expect(sheets(in: other).isEmpty)
        #expect(await attempt.value == nil)
        withExtendedLifetime(presenter) {}
    }

    @Test func presenterWhoseWindowIsGoneLeavesTheAttemptToAnother() async throws {
        let (scene, other) = (connect(), connect())
        let fixture = PromptsFixture(PromptsFixture.code)
        let first = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let second = AuthPromptPresenter(fixture.auth, in: .in(try #require(other.keyWindow)))
        AppleDevice.App.move(other, to: .background)
        let attempt = fixture.signIn()
        await fixture.clock.waitForSleepers(count: 2)
        AppleDevice.App.disconnect(other)
        try answer(try await sheet(in: scene))
        #expect(await attempt.value == nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func attemptOfAnExtensionEnds() async throws {
        AppleDevice.App.isExtension = true
        let fixture = PromptsFixture(PromptsFixture.factors)
        let presenter = AuthPromptPresenter(fixture.auth)
        let attempt = fixture.signIn()
        // The second without a presenter, and the attempt's limit.
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value == .secondFactorRequired)
        withExtendedLifetime(presenter) {}
    }

    /// UIKit dismisses nothing while it still comes up.
    @Test func sheetThatIsStillComingUpGoesWithItsAttempt() async throws {
        let scene = connect()
        AppleDevice.App.holdsAnimations = true
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        let shown = try await sheet(in: scene)
        shown.host?.root.type("12", into: "Code")
        attempt.cancel()
        #expect(await attempt.value == .cancelled)
        try await wait(for: "the sheet to be told") { shown.host?.root.inputs.map(\.text) == [""] }
        AppleDevice.App.endAnimations()
        try await waitUntilGone(from: scene)
        withExtendedLifetime(presenter) {}
    }

    @Test func screenTurnsAndHasItsBarsAsTheAppWants() async throws {
        final class Landscape: UIViewController {
            override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .landscape }
        }
        let scene = connect()
        let app = Landscape()
        scene.keyWindow?.rootViewController = app
        let fixture = PromptsFixture(PromptsFixture.code)
        let presenter = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        let shown = try await sheet(in: scene)
        let below = try #require(shown.presentingViewController)
        #expect(below !== app && below.supportedInterfaceOrientations == .landscape)
        #expect(below.childForStatusBarStyle === app && below.childForStatusBarHidden === app)
        #expect(below.childForHomeIndicatorAutoHidden === app)
        shown.swipeDown()
        #expect(await attempt.value == .cancelled)
        withExtendedLifetime(presenter) {}
    }

    @Test func attemptAndSheetEndAfterThePresenterHasGone() async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.factors)
        var presenter: AuthPromptPresenter? = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        _ = try await sheet(in: scene, "Confirm that it is you")
        await fixture.clock.waitForSleepers(count: 1)
        withExtendedLifetime(presenter) {}
        presenter = nil
        try await waitUntilGone(from: scene)
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value == .secondFactorRequired)
    }

    @Test func presenterThatWasMadeLastPresents() async throws {
        let scene = connect()
        let fixture = PromptsFixture(PromptsFixture.code)
        let first = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "en"))
        let attempt = fixture.signIn()
        let old = try await sheet(in: scene)
        let second = AuthPromptPresenter(fixture.auth, locale: Locale(identifier: "ko"))
        let shown = try await sheet(in: scene, "인증번호 입력")
        #expect(shown !== old)
        try await wait(for: "the other sheet's window to go") { scene.windows.count == 2 }
        #expect(scene.keyWindow?.rootViewController === shown.presentingViewController, "The keyboard is the sheet's.")
        #expect(scene.keyWindow?.windowLevel == UIWindow.Level(rawValue: 1), "It is above the app's window.")
        shown.host?.root.type("123456", into: "인증번호")
        shown.host?.drawNow()
        shown.host?.root.press("계속")
        #expect(await attempt.value == nil)
        try await waitUntilGone(from: scene)
        withExtendedLifetime((first, second)) {}
    }

    @Test func presenterKeepsNoServiceAlive() async throws {
        weak var released: AuthService?
        var presenter: AuthPromptPresenter?
        do {
            let auth = AuthService(
                .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))],
                platform: .isolated())
            presenter = AuthPromptPresenter(auth)
            released = auth
        }
        try await wait(for: "the service to be released") { released == nil }
        withExtendedLifetime(presenter) {}
    }
}
