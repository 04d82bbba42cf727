import Accessibility
import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

/// What SwiftUI's sheets ask for each kind of prompt, and what the server receives.
@Suite(.appleDevice) @MainActor struct AuthPromptKindTests {
    private func host(_ auth: AuthService, locale: String = "en_US") -> ViewHost {
        ViewHost(Text(verbatim: "app").authPrompts(), auth: auth, locale: locale)
    }

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
        #expect(sheet.all("textSelection").isEmpty, "A selection would be copied to other devices.")
        #expect(sheet.values("Link") == [URL(string: url)])
        sheet.press("Copy")
        #expect(UIPasteboard.general.items.first?["public.utf8-plain-text"] as? String == "JBSWY3DP")
        #expect(UIPasteboard.general.options[.localOnly] as? Bool == true)
        #expect(UIPasteboard.general.options[.expirationDate] is Date)
        #expect(AppleDevice.Accessibility.announcements.last == "Copied")
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
            // It is for another device.
            #expect(host.sheet?.all("textSelection").count == 1)
            host.sheet?.press("Copy")
            #expect(UIPasteboard.general.options[.localOnly] as? Bool == false)
        }
        approved.resolve(())
        #expect(try await attempt.value.user.id == "kakao:1001")
        await host.waitUntilClosed()
    }

    // MARK: Fields

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

    @Test func returnLeadsToTheNextFieldAndSendsFromTheLast() async throws {
        let step = Challenge.Step.form([
            .init(id: "name"), .init(id: "terms", kind: .consent, isRequired: false), .init(id: "nickname"),
        ])
        let values = ["name": Secret("Minji"), "terms": Secret("false"), "nickname": Secret("mj")]
        let fixture = PromptsFixture(PromptsFixture.Step(step, answer: .form(values)))
        let host = host(fixture.auth)
        let attempt = fixture.signIn()
        await host.waitForSheet("A few more details")
        await host.wait { $0.value(of: "focused", around: "Name") == true }
        host.sheet?.type("Minji", into: "Name")
        host.sheet?.type("mj", into: "Nickname")
        host.sheet?.pressReturn(in: "Name")
        await host.wait { $0.value(of: "focused", around: "Nickname") == true }
        #expect(fixture.answers == [], "The form is complete, and the person is in its first field.")
        host.sheet?.pressReturn(in: "Nickname")
        #expect(await attempt.value == nil && fixture.answers == [.form(values)])
    }

    // MARK: Previews

    @Test(arguments: [
        (Challenge.Kind.code, "Enter the code", "인증번호 입력"), (.factors, "Confirm that it is you", "2단계 인증"),
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
}
