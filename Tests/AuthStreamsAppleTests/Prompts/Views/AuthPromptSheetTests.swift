import Accessibility
import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

/// The sheets of SwiftUI in front of a server, until the attempt is over.
@Suite(.appleDevice) @MainActor struct AuthPromptSheetTests {
    private func host(_ auth: AuthService, locale: String = "en_US") -> ViewHost {
        ViewHost(Text(verbatim: "app").authPrompts(), auth: auth, locale: locale)
    }

    // MARK: Each kind

    @Test func codeIsEntered() async {
        let fixture = PromptsFixture(PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Enter the code")
        #expect(host.sheet?.isEnabled("Continue") == false)
        host.sheet?.type("123 456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
        await host.waitUntilClosed()
        #expect(fixture.answers == [.code(Secret("123456"))] && host.root.texts == ["app"])
    }

    @Test func factorIsChosen() async {
        let fixture = PromptsFixture(PromptsFixture.factors)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Confirm that it is you")
        host.sheet?.press("Text message")
        #expect(await attempt.value == nil)
        #expect(fixture.answers == [.factor("2")])
    }

    @Test func formIsFilledIn() async {
        let terms = URL(string: "https://example.com/terms")
        let step = Challenge.Step.form([
            .init(id: "nickname"), .init(id: "terms", kind: .consent, url: terms),
            .init(id: "marketing", kind: .consent, isRequired: false),
        ])
        let values = ["nickname": Secret("minji"), "terms": Secret("true"), "marketing": Secret("false")]
        let fixture = PromptsFixture(PromptsFixture.Step(step, answer: .form(values)))
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("A few more details")
        #expect(host.sheet?.values("Link") == [terms])
        host.sheet?.type("minji", into: "Nickname")
        host.sheet?.press("I agree to the terms of use")
        host.drawNow()
        #expect(host.sheet?.values("Toggle") == [true, false])
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
        #expect(fixture.answers == [.form(values)])
    }

    @Test func addressIsEntered() async {
        let fixture = PromptsFixture(PromptsFixture.Step(.address, answer: .address("kim@example.com")))
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Confirm your email address")
        host.sheet?.type("kim@example.com ", into: "Email")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
    }

    @Test func authenticatorAppIsAddedByCameraByHandOrByALink() async throws {
        let url = "otpauth://totp/App:kim?secret=JBSWY3DP&issuer=App"
        let step = Challenge.Step.enrollment(.init(secret: Secret("JBSWY3DP"), url: Secret(url)))
        let fixture = PromptsFixture(PromptsFixture.Step(step, answer: .code(Secret("123456"))))
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Add an authenticator app")
        let sheet = try #require(host.sheet)
        let picture: [CGImage] = sheet.labeled("QR code").flatMap { $0.values("Image") }
        #expect(picture.map { String(decoding: $0.content, as: UTF8.self) } == [url])
        #expect(sheet.values("speechSpellsOutCharacters") == ["JBSWY3DP"], "VoiceOver spells the key.")
        #expect(!sheet.all("textSelection").isEmpty)
        #expect(sheet.values("Link") == [URL(string: url)])
        sheet.press("Copy")
        #expect(UIPasteboard.general.items.first?["public.utf8-plain-text"] as? String == "JBSWY3DP")
        #expect(UIPasteboard.general.options[.localOnly] as? Bool == true)
        #expect(UIPasteboard.general.options[.expirationDate] is Date)
        #expect(AppleDevice.Accessibility.announcements == ["Copied"])
        sheet.type("123456", into: "Code")
        host.drawNow()
        host.sheet?.press("Continue")
        #expect(await attempt.value == nil)
    }

    @Test func pageIsShownByTheServicesUserAgent() async {
        let page = Challenge.Page(URL(literal: "https://auth.example.com/idv"), callbackURL: PromptPage.callback)
        let fixture = PromptsFixture(PromptsFixture.Step(.page(page), answer: .callback(PromptPage.callback)))
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("One more step")
        host.sheet?.press("Continue in the browser")
        #expect(await attempt.value == nil)
    }

    /// The answer to these reaches the server in another way.
    @Test(arguments: [
        Challenge.Step.link(.init(to: "kim@example.com")),
        .userCode(
            .init(
                code: "WDJB-MJHT", verificationURI: URL(literal: "https://example.com/device"), expiresIn: .seconds(900)
            )
        ),
    ])
    func sheetOfAProviderClosesWhenThePersonHasAnsweredElsewhere(step: Challenge.Step) async throws {
        let approved = Promise<Void>()
        let provider = ScriptedProvider(.kakao) { request in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await request.prompter.answer(to: Challenge(step)) }
                group.addTask { _ = await approved.value() }
                try await group.next()
                group.cancelAll()
            }
            return Credential(provider: .kakao, userID: "1001", isBound: true)
        }
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.provider(provider)], platform: .isolated())
        let host = host(auth)
        let attempt = Task { try await auth.signIn(with: .kakao).value }
        await host.wait { !$0.all("sheet").isEmpty }
        #expect(host.sheet?.isEnabled("Continue") == false)
        if case .userCode(let code) = step {
            #expect(host.sheet?.values("speechSpellsOutCharacters") == [code.code])
            #expect(host.sheet?.values("Link") == [code.verificationURI])
            #expect(host.sheet?.labeled("QR code").count == 1)
        }
        approved.resolve(())
        #expect(try await attempt.value.user.id == "kakao:1001")
        await host.waitUntilClosed()
    }

    // MARK: One sheet

    @Test func stepsOfAnAttemptFollowOneAnotherInOneSheet() async {
        let fixture = PromptsFixture(PromptsFixture.factors, PromptsFixture.code)
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("Confirm that it is you")
        host.sheet?.press("Text message")
        await host.waitForSheet("Enter the code")
        #expect(host.sheets == 1 && AppleDevice.Accessibility.announcements == ["Enter the code"])
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
        await host.wait { $0.texts.contains(failure) }
        #expect(host.sheet?.inputs.map(\.text) == [""] && host.sheets == 1)
        #expect(host.sheet?.value(of: "focused", around: "Code") == true)
        #expect(AppleDevice.Accessibility.announcements == [failure])
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

    /// SwiftUI clears the item of a sheet that it closes because another one is to be shown.
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
        host.change { $0.locale = Locale(identifier: "en_US") }
        await host.waitForSheet("Enter the code")
        #expect(host.sheet?.inputs.map(\.text) == ["12"] && host.sheets == 1)
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
        #expect(AppleDevice.Accessibility.announcements == [], "The sheet itself is read as it appears.")
        #expect(sheet.all("frame").isEmpty && sheet.values("font", as: Font.self).allSatisfy { $0.textStyle != nil })
        host.swipeDown()
        #expect(await attempt.value == .cancelled)
    }

    @Test(arguments: AuthPromptContent.Field.Input.allCases)
    func eachFieldHasItsKeyboardAndWhatTheSystemFillsIn(input: AuthPromptContent.Field.Input) throws {
        let step: Challenge.Step? =
            switch input {
            case .code: .code(.init())
            case .codeWithLetters: .code(.init(hasLetters: true))
            case .email: .form([.init(id: "email", kind: .email)])
            case .phone: .form([.init(id: "phone", kind: .phone)])
            case .text: .form([.init(id: "name")])
            case .password: .form([.init(id: "password", kind: .password)])
            case .newPassword: .form([.init(id: "password", kind: .password), .init(id: "name")])
            case .consent: nil
            }
        guard let step else { return }
        let model = AuthPromptModel(AuthPrompt(Challenge(step), provider: .password))
        let field = try #require(model.content.fields.first)
        #expect(field.input == input)
        let root = ViewHost(AuthPromptView(model)).root
        let type: UITextContentType? = root.value(of: "textContentType", around: field.label)
        let keyboard: UIKeyboardType? = root.value(of: "keyboardType", around: field.label)
        let expected: (UITextContentType?, UIKeyboardType?) =
            switch input {
            case .code: (.oneTimeCode, .numberPad)
            case .codeWithLetters: (.oneTimeCode, .asciiCapable)
            case .email: (.username, .emailAddress)
            case .phone: (.telephoneNumber, .phonePad)
            case .password: (.password, .default)
            case .newPassword: (.newPassword, .default)
            case .text, .consent: (nil, nil)
            }
        #expect(type == expected.0 && keyboard == expected.1)
        #expect(root.all("SecureField").count == (input == .password || input == .newPassword ? 1 : 0))
    }

    // MARK: Previews

    @Test(arguments: [
        (Challenge.Kind.code, "Enter the code", "인증번호 입력"), (.factors, "Confirm that it is you", "본인 확인"),
        (.form, "A few more details", "추가 정보 입력"), (.link, "Open the link in your email", "이메일의 링크를 열어 주세요"),
        (.address, "Confirm your email address", "이메일 주소 확인"), (.enrollment, "Add an authenticator app", "인증 앱 추가"),
        (.userCode, "Enter this code on another device", "다른 기기에서 코드 입력"), (.page, "One more step", "추가 단계"),
    ])
    func previewAsksEachKind(kind: Challenge.Kind, english: String, korean: String) async {
        for (locale, title) in [("en_US", english), ("ko_KR", korean)] {
            let auth = AuthService.preview(.asking(kind))
            #expect(auth.state == .signingIn(.kakao, .waitingForAnswer))
            let host = host(auth, locale: locale)
            await host.waitForSheet(title)
            host.swipeDown()
            #expect(host.sheet == nil && auth.state == .signedOut(nil))
        }
    }

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
