import Accessibility
import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// The life of SwiftUI's sheets: when they come up, change and close.
@Suite(.appleDevice) @MainActor struct AuthPromptSheetTests {
    private func host(_ auth: AuthService, locale: String = "en_US") -> ViewHost {
        ViewHost(Text(verbatim: "app").authPrompts(), auth: auth, locale: locale)
    }

    // MARK: One sheet

    @Test func stepsOfAnAttemptFollowOneAnotherInOneSheet() async {
        let fixture = PromptsFixture(PromptsFixture.factors, PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Confirm that it is you")
        host.sheet?.press("Text message")
        await host.waitForSheet("Enter the code")
        await host.wait { _ in AppleDevice.Accessibility.announcements.last?.hasPrefix("Enter the code.") == true }
        #expect(host.sheets == 1)
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
        await host.waitUntilClosed()
        #expect(host.sheets == 1)
    }

    @Test func wrongCodeIsToldAndClearedInTheSameSheet() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        host.sheet?.type("654321", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        let failure = "The code is not correct. Please try again."
        await host.wait { $0.texts.contains(failure) && AppleDevice.Accessibility.announcements.last == failure }
        #expect(host.sheet?.inputs.map(\.text) == [""] && host.sheets == 1)
        #expect(host.sheet?.value(of: "focused", around: "Code") == true)
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
    }

    @Test func answerThatIsBeingSentIsSaidAndNotSentTwice() async throws {
        let sent = Promise<Void>()
        var account = ScriptedAccount()
        account.answer = { _, _, _ in
            _ = await sent.value()
            return ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))
        }
        let repository = ScriptedRepository(
            establish: { _ in
                throw AuthError(.secondFactorRequired, "A code.", challenge: PromptsFixture.code.challenge)
            }, account: account)
        let auth = AuthService(
            .repository(repository), providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
        let host = host(auth)
        let attempt = Task { try await auth.signIn(with: .kakao).value }
        await host.waitForSheet("Enter the code")
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        host.drawNow()
        #expect(host.sheet?.isEnabled("Continue") == false && host.sheet?.isEnabled("Cancel") == true)
        #expect(host.sheet?.accessibilityValues.contains("Sending") == true)
        #expect(host.sheet?.all("ProgressView").count == 1)
        sent.resolve(())
        _ = try await attempt.value
        await host.waitUntilClosed()
    }

    @Test func anotherCodeIsAskedForAfterTheCountdown() async throws {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        #expect(host.sheet?.isEnabled("Send another code") == false)
        #expect(host.sheet?.texts.contains("in 0:30") == true)
        #expect(host.sheet?.accessibilityValues.contains("in 30 seconds") == true)
        // The countdown, and the attempt's limit.
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .milliseconds(28_500))
        await host.wait { $0.texts.contains("in 0:02") }
        #expect(host.sheet?.isEnabled("Send another code") == false)
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .milliseconds(1_500))
        await host.wait { $0.all("sheet").last?.isEnabled("Send another code") == true }
        host.sheet?.type("12", into: "Code")
        host.sheet?.press("Send another code")
        await host.wait { $0.texts.contains("in 0:30") }
        #expect(fixture.answers == [.resend] && host.sheet?.inputs.map(\.text) == [""])
        host.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    // MARK: Closing

    @Test(arguments: [true, false]) func personWhoClosesTheSheetCancelsTheAttempt(swipes: Bool) async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        if swipes { host.swipeDown() } else { host.sheet?.press("Cancel") }
        host.drawNow()
        #expect(host.sheet == nil, "It is closed at once.")
        #expect(await attempt.value == .cancelled)
        // The next attempt asks in a sheet of its own.
        let next = fixture.signIn()
        await host.waitForSheet("Enter the code")
        #expect(host.sheets == 2)
        host.swipeDown()
        #expect(await next.value == .cancelled)
    }

    /// SwiftUI clears the item of a sheet that another one replaces.
    @Test func sheetThatClosesForANewerAttemptDoesNotCancelIt() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let first = fixture.signIn()
        await host.waitForSheet("Enter the code")
        let old = host.sheet
        let second = fixture.signIn(with: .naver)
        #expect(await first.value == .superseded)
        await host.wait { _ in host.sheets == 2 }
        old?.press("Cancel")
        host.drawNow()
        #expect(host.sheet != nil)
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await second.value == nil)
    }

    @Test func attemptThatEndsClosesItsSheet() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(300))
        #expect(await attempt.value == .timedOut)
        await host.waitUntilClosed()
    }

    // MARK: Presenters

    @Test func viewThatCameLastPresentsAndTheOtherCancelsNothing() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let first = host(fixture.auth)
        let attempt = fixture.signIn()
        await first.waitForSheet("Enter the code")
        let shown = first.sheet
        let second = host(fixture.auth)
        await second.waitForSheet("Enter the code")
        await first.waitUntilClosed()
        shown?.press("Cancel")
        second.drawNow()
        second.sheet?.type("123456", into: "Code")
        second.drawNow()
        second.sheet?.press("Continue")
        #expect(await attempt.value == nil)
    }

    /// The person closes the window in front, and looks at the other one, whose scene was there all the time.
    @Test func viewOfASceneInTheForegroundPresents() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let (first, second) = (host(fixture.auth), host(fixture.auth))
        second.change { $0.scenePhase = .background }
        let attempt = fixture.signIn()
        await first.waitForSheet("Enter the code")
        // A scene that the system connects in the background.
        let third = ViewHost(
            Text(verbatim: "app").authPrompts().environment(\.scenePhase, .background), auth: fixture.auth,
            locale: "en_US")
        third.drawNow()
        #expect(second.sheet == nil && third.sheet == nil)
        // Alone, it keeps the prompt for the person's return.
        first.show(EmptyView())
        third.show(EmptyView())
        await second.waitForSheet("Enter the code")
        second.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    /// The person looks the code up in another app: every view of the scene comes to the foreground again.
    @Test func innerViewPresentsAlsoAfterAnAbsence() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = ViewHost(
            VStack { Text(verbatim: "form").authPrompts() }.authPrompts(), auth: fixture.auth, locale: "en_US")
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        for phase in [ScenePhase.background, .active] {
            host.change { $0.scenePhase = phase }
            await fixture.clock.waitForSleepers(count: 1)
        }
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil && host.sheets == 1)
    }

    @Test func viewOfTheSceneThatBecameActiveLastPresents() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let (first, second) = (host(fixture.auth), host(fixture.auth))
        let attempt = fixture.signIn()
        await second.waitForSheet("Enter the code")
        // A scene that the person leaves does not take the sheet.
        first.change { $0.scenePhase = .background }
        second.change { $0.scenePhase = .inactive }
        second.sheet?.type("12", into: "Code")
        first.change { $0.scenePhase = .active }
        await first.waitForSheet("Enter the code")
        await second.waitUntilClosed()
        second.change { $0.scenePhase = .background }
        first.sheet?.type("123456", into: "Code")
        first.drawNow()
        first.sheet?.press("Continue")
        #expect(await attempt.value == nil && second.sheets == 1)
    }

    @Test func attemptEndsAfterItsPresenterHasGone() async {
        let fixture = PromptsFixture(PromptsFixture.factors)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Confirm that it is you")
        await fixture.clock.waitForSleepers(count: 1)
        host.show(EmptyView())
        // The second without a presenter, and the attempt's limit.
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value == .secondFactorRequired)
    }

    /// SwiftUI presents one thing above a view at a time.
    @Test func sheetWaitsWhileADialogIsUp() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = ViewHost(ScreenWithDialog(), auth: fixture.auth)
        host.root.press("Delete")
        host.drawNow()
        #expect(host.root.all("confirmationDialog").count == 1)
        let attempt = fixture.signIn()
        await fixture.clock.waitForSleepers(count: 1)
        #expect(host.sheet == nil)
        host.root.press("No")
        await host.waitForSheet("Enter the code")
        host.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    private struct ScreenWithDialog: View {
        @State private var asks = false

        var body: some View {
            Button("Delete") { asks = true }
                .confirmationDialog("Sure?", isPresented: $asks) { Button("No", role: .cancel) {} }
                .authPrompts()
        }
    }

    // MARK: Languages and VoiceOver

    @Test func sheetIsInTheLanguageOfItsViewAlsoWhenThatChanges() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth, locale: "ko_KR")
        let attempt = fixture.signIn()
        await host.waitForSheet("인증번호 입력")
        #expect(host.sheet?.isEnabled("취소") == true && host.sheet?.texts.contains("0:30 후") == true)
        host.sheet?.type("12", into: "인증번호")
        #expect(host.sheet?.texts.contains { $0.hasPrefix("오") && $0.hasSuffix("까지 유효") } == true)
        host.change { $0.locale = Locale(identifier: "en_US") }
        await host.waitForSheet("Enter the code")
        #expect(host.sheet?.inputs.map(\.text) == ["12"] && host.sheets == 1)
        #expect(host.sheet?.texts.contains { $0.hasPrefix("Valid until") && $0.hasSuffix("M") } == true)
        // The app's own texts in the same language.
        var texts = AuthPromptTexts.english
        texts.titles[.code] = "Your code"
        host.show(Text(verbatim: "app").authPrompts(texts: texts).environment(\.auth, fixture.auth))
        await host.waitForSheet("Your code")
        host.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    @Test func voiceOverHearsAHeaderAndLabelsAndTheFieldHasTheFocus() async throws {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        await host.wait { $0.value(of: "focused", around: "Code") == true }
        let sheet = try #require(host.sheet)
        let headers = sheet.all("accessibilityAddTraits").filter { $0.value as? AccessibilityTraits == .isHeader }
        #expect(headers.flatMap(\.texts) == ["Enter the code"])
        #expect(sheet.inputs.map(\.title) == ["Code"])
        let announcements = AppleDevice.Accessibility.attributed
        #expect(announcements.map { String($0.characters) } == ["Enter the code. It was sent to a•••@example.com."])
        #expect(announcements.first?.accessibilitySpeechAnnouncementPriority == .high, "The sheet itself is read, too.")
        #expect(sheet.all("frame").isEmpty && sheet.values("font", as: Font.self).allSatisfy { $0.textStyle != nil })
        host.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    // MARK: Previews

    @Test func answerInAPreviewSignsInOrAsksOnceMore() async {
        let auth = AuthService.preview(.asking(.code))
        let host = host(auth)
        await host.waitForSheet("Enter the code")
        host.sheet?.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        await host.waitUntilClosed()
        #expect(auth.user == AuthPreview.user)
        let failing = self.host(.preview(.asking(.code), failing: .codeMismatch))
        await failing.wait { $0.texts.contains("The code is not correct. Please try again.") }
        failing.sheet?.type("123456", into: "Code")
        failing.drawNow()
        failing.sheet?.press("Continue")
        await failing.wait { $0.all("sheet").last?.inputs.map(\.text) == [""] }
        #expect(failing.sheets == 1)
    }
}
