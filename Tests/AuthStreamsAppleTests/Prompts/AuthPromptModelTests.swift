import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// What a sheet shows and takes, without a view.
@Suite @MainActor struct AuthPromptModelTests {
    let clock = ManualClock()

    private func prompt(
        _ step: Challenge.Step, id: AuthPrompt.ID = AuthPrompt.ID(), provider: ProviderID? = .kakao,
        expiresIn: Duration? = nil, attemptsLeft: Int? = nil, failure: AuthError.Code? = nil,
        onAnswer: @escaping @Sendable (ChallengeAnswer) -> Void = { _ in }
    ) -> AuthPrompt {
        AuthPrompt(
            Challenge(step, expiresIn: expiresIn, attemptsLeft: attemptsLeft), provider: provider,
            failure: failure.map { AuthError($0, "The test says so.", provider: provider) }, id: id,
            at: PromptsFixture.start, onAnswer: onAnswer)
    }

    private func model(_ prompt: AuthPrompt, language: String = "en") -> AuthPromptModel {
        AuthPromptModel(
            prompt, locale: Locale(identifier: language), clock: clock.authClock(startingAt: PromptsFixture.start))
    }

    private let code = Challenge.Step.code(.init(to: "a•••@example.com", length: 6, resendAfter: .seconds(30)))

    // MARK: What is shown

    nonisolated private static let steps: [(Challenge.Step, english: [String], korean: [String])] = {
        let page = URL(literal: "https://auth.example.com/activate")
        let key = Challenge.Enrollment(secret: Secret("JBSWY3DP"), url: Secret("otpauth://totp/a?secret=JBSWY3DP"))
        return [
            (
                .code(.init(to: "a•••@example.com", resendAfter: .zero)),
                ["Enter the code", "It was sent to a•••@example.com.", "Code", "Continue", "Send another code"],
                ["인증번호 입력", "a•••@example.com(으)로 인증번호를 보냈습니다.", "인증번호", "계속", "인증번호 다시 받기"]
            ),
            (
                .code(.init()), ["Enter the code", "Your authenticator app shows it.", "Code", "Continue"],
                ["인증번호 입력", "인증 앱에 표시된 인증번호를 입력해 주세요.", "인증번호", "계속"]
            ),
            (
                .factors([.init(id: "1", kind: "totp", name: "iPhone"), .init(id: "2", kind: "own")]),
                ["Confirm that it is you", "Choose how you want to do it.", "Authenticator app", "iPhone", "own"],
                ["2단계 인증", "확인 방법을 선택해 주세요.", "인증 앱", "iPhone", "own"]
            ),
            (
                .form([
                    .init(id: "nickname"), .init(id: "school", label: "School", isRequired: false),
                    .init(id: "terms", kind: .consent, url: page),
                ]),
                [
                    "A few more details", "Nickname", "School (optional)", "I agree to the terms of use",
                    "Read: I agree to the terms of use", "Continue",
                ],
                ["추가 정보 입력", "닉네임", "School (선택)", "이용약관에 동의합니다", "내용 보기: 이용약관에 동의합니다", "계속"]
            ),
            (
                .link(.init(to: "kim@example.com", resendAfter: .zero)),
                ["Open the link in your email", "It was sent to kim@example.com.", "Send another link"],
                ["이메일의 링크를 열어 주세요", "kim@example.com(으)로 링크를 보냈습니다.", "링크 다시 받기"]
            ),
            (
                .address,
                ["Confirm your email address", "Enter the address to which the link was sent.", "Email", "Continue"],
                ["이메일 주소 확인", "링크를 받은 이메일 주소를 입력해 주세요.", "이메일", "계속"]
            ),
            (
                .enrollment(key),
                [
                    "Add an authenticator app",
                    "Scan the QR code with the app, or type in the key. Then enter the code that the app shows.", "Key",
                    "Open an authenticator app on this device", "Code", "Continue",
                ],
                [
                    "인증 앱 추가", "인증 앱으로 QR 코드를 스캔하거나 키를 직접 입력한 후, 앱에 표시된 인증번호를 입력해 주세요.", "키", "이 기기의 인증 앱 열기",
                    "인증번호", "계속",
                ]
            ),
            (
                .userCode(.init(code: "WDJB-MJHT", verificationURI: page, expiresIn: .seconds(900))),
                [
                    "Enter this code on another device",
                    "Open auth.example.com/activate there, and enter the code or compare it with this one.", "Code",
                    "Open the page on this device",
                ],
                [
                    "다른 기기에서 코드 입력",
                    "다른 기기에서 auth.example.com/activate 페이지를 열고, 아래 코드를 입력하거나 표시된 코드와 같은지 확인해 주세요.", "코드",
                    "이 기기에서 페이지 열기",
                ]
            ),
            (
                .page(.init(page, kind: .init(rawValue: "identity"))),
                ["One more step", "Continue at auth.example.com in your browser.", "Continue in the browser"],
                ["추가 단계", "브라우저에서 auth.example.com 페이지로 계속합니다.", "브라우저에서 계속"]
            ),
        ]
    }()

    @Test(arguments: AuthPromptModelTests.steps.indices, ["en_US", "ko_KR"])
    func eachKindIsShownInTheLanguageOfTheView(index: Int, language: String) {
        let (step, english, korean) = Self.steps[index]
        let content = model(prompt(step), language: language).content
        var texts: [String?] = [content.title, content.explanation, content.shown?.label, content.linkTitle]
        texts += content.choices.flatMap { [$0.title, $0.detail] }
        texts += content.fields.flatMap { [$0.label, $0.termsLabel] }
        texts += [content.submitTitle, content.resendTitle]
        #expect(texts.compactMap { $0 } == (language == "ko_KR" ? korean : english))
    }

    /// The system offers the account's password where it is asked for, and a new one elsewhere.
    @Test func passwordOfTheAccountIsToldFromANewOne() {
        let fields = [Challenge.Field(id: "email", kind: .email), Challenge.Field(id: "password", kind: .password)]
        let signIn = model(prompt(.form(fields), provider: .password)).content
        #expect(signIn.title == "Enter your password" && signIn.fields.map(\.input) == [.email, .password])
        let signUp = model(prompt(.form(fields + [.init(id: "nickname")]), provider: .password)).content
        #expect(signUp.title == "A few more details" && signUp.fields.map(\.input) == [.email, .newPassword, .text])
    }

    @Test func textsOfTheAppTakeThePlaceOfTheStandardOnes() {
        var texts = AuthPromptTexts.english
        texts.titles[.code] = "PIN"
        texts.fieldLabels["code"] = "Your PIN"
        let model = AuthPromptModel(prompt(code), texts: texts)
        #expect(model.content.title == "PIN" && model.content.fields.map(\.label) == ["Your PIN"])
        model.texts = .korean
        #expect(model.content.title == "인증번호 입력")
    }

    @Test(arguments: [
        (AuthError.Code.codeMismatch, nil, "The code is not correct. Please try again."),
        (.codeMismatch, 3, "The code is not correct. Please try again. 3 attempts are left."),
        (.codeMismatch, 1, "The code is not correct. Please try again. One attempt is left."),
        (.network, nil, "The server could not be reached. Please check your internet connection and try again."),
        (.cancelled, nil, "The page was closed before the step was complete."),
        (.init(rawValue: "own"), nil, "It did not work."),
    ])
    func failureSaysWhyTheStepIsAskedAgain(code: AuthError.Code, left: Int?, text: String) {
        #expect(model(prompt(self.code, attemptsLeft: left, failure: code)).failure == text)
    }

    @Test func refusedPasswordIsToldInTheWordsOfItsProvider() {
        let step = Challenge.Step.form([.init(id: "password", kind: .password)])
        let failure = model(prompt(step, provider: .password, failure: .invalidCredential)).failure
        #expect(failure == "The email address or the password is not correct. Please try again.")
    }

    @Test func expiryIsATimeOfDay() {
        #expect(model(prompt(code, expiresIn: .seconds(300))).validUntil?.hasPrefix("Valid until ") == true)
        #expect(model(prompt(code, expiresIn: .seconds(300)), language: "ko").validUntil?.hasSuffix("까지 유효") == true)
        #expect(model(prompt(code)).validUntil == nil)
    }

    // MARK: What can be submitted

    @Test(arguments: [
        ("", false), ("12345", false), ("123456", true), ("123 456", true), ("123-456", true), ("１２３４５６", true),
        ("1234567", false), (" ", false),
    ])
    func codeOfAnotherLengthIsNotSent(text: String, canSubmit: Bool) {
        let model = model(prompt(code))
        model.enter(text, in: model.content.fields[0])
        #expect(model.canSubmit == canSubmit)
    }

    @Test func formIsSentOnceItsRequiredFieldsAreFilledIn() throws {
        let answered = Lock<[ChallengeAnswer]>([])
        let step = Challenge.Step.form([
            .init(id: "nickname"), .init(id: "school", isRequired: false), .init(id: "terms", kind: .consent),
            .init(id: "marketing", kind: .consent, isRequired: false),
        ])
        let model = model(prompt(step) { answer in answered.withLock { $0.append(answer) } })
        let fields = model.content.fields
        model.enter(" ", in: fields[0])
        model.enter("true", in: fields[2])
        #expect(!model.canSubmit)
        model.enter("minji", in: fields[0])
        #expect(model.canSubmit)
        model.enter("false", in: fields[2])
        #expect(!model.canSubmit)
        model.submit()
        #expect(answered.withLock { $0 } == [], "What is not complete is not sent.")
        model.enter("true", in: fields[2])
        model.submit()
        let values = ["nickname": Secret("minji"), "terms": Secret("true"), "marketing": Secret("false")]
        #expect(answered.withLock { $0 } == [.form(values)])
        #expect(model.isSending && !model.canSubmit && !model.canAnswer)
    }

    @Test func answerIsNotSentAfterItsTime() async throws {
        let model = model(prompt(.code(.init(length: 6)), expiresIn: .seconds(300)))
        model.enter("123456", in: model.content.fields[0])
        await clock.waitForSleepers(count: 1)
        #expect(model.canSubmit)
        clock.advance(by: .seconds(300))
        try await wait(for: "the time to be over") { !model.canSubmit }
        #expect(!model.canAnswer)
    }

    /// The sheet of an answered prompt comes back after the gate, or in another scene.
    @Test func promptThatWasAnsweredBeforeIsBeingSent() {
        let answered = prompt(code)
        answered.code?.submit("123456")
        let model = model(answered)
        #expect(model.isSending && !model.canAnswer)
        model.enter("654321", in: model.content.fields[0])
        #expect(!model.canSubmit)
    }

    // MARK: What was entered

    @Test(arguments: [
        (AuthError.Code.codeMismatch, ""), (.network, "123456"), (.rateLimited, "123456"), (.server, "123456"),
    ])
    func onlyACodeThatWasRefusedIsCleared(failure: AuthError.Code, text: String) {
        let first = prompt(code)
        let model = model(first)
        model.enter("123456", in: model.content.fields[0])
        model.submit()
        model.show(prompt(code, id: first.id, failure: failure))
        #expect(model.text(in: model.content.fields[0]) == text)
        #expect(!model.isSending && model.step == 1 && model.announcement == model.failure)
    }

    @Test func refusedPasswordIsClearedAndTheAddressStays() {
        let step = Challenge.Step.form([.init(id: "email", kind: .email), .init(id: "password", kind: .password)])
        let first = prompt(step, provider: .password)
        let model = model(first)
        for field in model.content.fields { model.enter("kim@example.com", in: field) }
        model.show(prompt(step, id: first.id, provider: .password, failure: .invalidCredential))
        #expect(model.content.fields.map(model.text(in:)) == ["kim@example.com", ""])
    }

    /// The server asks for it before a change, under a name of its own.
    @Test func currentPasswordIsOneThatTheAccountHasAndClearedIfItIsWrong() throws {
        let step = Challenge.Step.form([.init(id: "currentPassword", kind: .password)])
        let first = prompt(step)
        let model = model(first)
        let field = try #require(model.content.fields.first)
        #expect(field.input == .password && field.label == "Current password")
        #expect(model.content.title == "Enter your password")
        model.enter("wrong", in: field)
        model.show(prompt(step, id: first.id, failure: .invalidInput))
        #expect(model.text(in: field).isEmpty)
    }

    @Test func newPasswordThatIsTooWeakStays() throws {
        let step = Challenge.Step.form([.init(id: "password", kind: .password)])
        let first = prompt(step)
        let model = model(first)
        let field = try #require(model.content.fields.first)
        model.enter("short", in: field)
        model.show(prompt(step, id: first.id, failure: .invalidInput))
        #expect(field.input == .newPassword && model.text(in: field) == "short")
    }

    @Test func nextStepAndAnotherCodeBeginEmpty() {
        let first = prompt(code)
        let model = model(first)
        model.enter("12", in: model.content.fields[0])
        model.show(first)
        #expect(model.text(in: model.content.fields[0]) == "12" && model.step == 0, "It is the same once more.")
        model.show(prompt(code, id: first.id))
        #expect(model.text(in: model.content.fields[0]).isEmpty)
        model.enter("12", in: model.content.fields[0])
        model.show(prompt(.enrollment(.init(secret: Secret("K"), url: Secret("otpauth://k"))), id: first.id))
        #expect(model.text(in: model.content.fields[0]).isEmpty)
        #expect(model.step == 2 && model.announcement.hasPrefix("Add an authenticator app. Scan the QR code"))
    }

    @Test func closedSheetKeepsNothing() {
        let cancelled = Lock(0)
        let prompt = AuthPrompt(Challenge(code), onCancel: { cancelled.withLock { $0 += 1 } })
        let model = model(prompt)
        model.enter("123456", in: model.content.fields[0])
        model.cancel()
        #expect(cancelled.withLock { $0 } == 1 && model.text(in: model.content.fields[0]).isEmpty)
        // A field that ends its editing as it goes.
        model.enter("123456", in: model.content.fields[0])
        #expect(model.text(in: model.content.fields[0]).isEmpty)
    }

    /// The system may say late that a sheet was closed, when another attempt asks already.
    @Test func closingASheetEndsTheAttemptThatItShowedAndNoOther() async throws {
        let fixture = PromptsFixture(PromptsFixture.factors)
        let sheet = AuthPromptSheet()
        let (prompts, clock) = (fixture.auth.prompts, fixture.auth.clock)
        let reader = Task { await sheet.follow(prompts, by: clock, locale: Locale(identifier: "en"), texts: nil) }
        let first = fixture.signIn()
        try await wait(for: "the first prompt") { sheet.presented != nil }
        let old = try #require(sheet.presented)
        sheet.onScreen = old
        let second = fixture.signIn(with: .naver)
        #expect(await first.value == .superseded)
        try await wait(for: "the second prompt") { sheet.presented.map { $0 !== old } ?? false }
        sheet.closedByPerson()
        let shown = try #require(sheet.presented)
        shown.choose(shown.content.choices[1])
        #expect(await second.value == nil)
        reader.cancel()
    }

    @Test func modelIsReleasedAfterItsAttempt() async throws {
        let fixture = PromptsFixture(PromptsFixture.code)
        let sheet = AuthPromptSheet()
        let (prompts, clock) = (fixture.auth.prompts, fixture.auth.clock)
        let reader = Task { await sheet.follow(prompts, by: clock, locale: Locale(identifier: "en"), texts: nil) }
        let attempt = fixture.signIn()
        try await wait(for: "the prompt") { sheet.presented != nil }
        weak let model = sheet.presented
        sheet.onScreen = model
        model?.cancel()
        #expect(await attempt.value == .cancelled)
        try await wait(for: "the model to be released") { model == nil }
        reader.cancel()
    }

    // MARK: Another code

    @Test func anotherCodeCanBeAskedForAfterItsCountdown() async throws {
        let answered = Lock<[ChallengeAnswer]>([])
        let model = model(prompt(code) { answer in answered.withLock { $0.append(answer) } })
        var seen = [model.secondsUntilResend]
        while let last = seen.last, last > 0 {
            model.resend()
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
            try await wait(for: "the countdown to go on") { model.secondsUntilResend < last }
            seen.append(model.secondsUntilResend)
        }
        #expect(seen == Array((0...30).reversed()) && clock.now.offset == .seconds(30))
        #expect(answered.withLock { $0 } == [] && model.canResend)
        model.resend()
        model.resend()
        #expect(answered.withLock { $0 } == [.resend] && model.isSending && !model.canResend)
    }

    /// A process that was suspended counts on from where the clock is.
    @Test func countdownFollowsTheClockThroughALeap() async throws {
        let model = model(prompt(code))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(27_500))
        try await wait(for: "the countdown to follow") { model.secondsUntilResend == 3 }
        #expect(!model.canResend)
    }

    @Test func countdownKeepsNoModelAlive() async throws {
        weak var model: AuthPromptModel?
        do {
            let made = self.model(prompt(code))
            await clock.waitForSleepers(count: 1)
            model = made
        }
        try await wait(for: "the model to be released") { model == nil }
    }
}
