import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A sheet of the app's own, with the model and the texts of the library.
@Suite @MainActor struct OwnPromptViewTests {
    private func model(_ step: Challenge.Step, _ texts: (inout AuthPromptTexts) -> Void = { _ in }) -> AuthPromptModel {
        let prompt = AuthPrompt(
            Challenge(step, expiresIn: .seconds(300)), provider: .kakao, at: Date(timeIntervalSince1970: 1_800_000_000)
        ) { _ in }
        let model = AuthPromptModel(
            prompt, locale: Locale(identifier: "en"),
            clock: ManualClock().authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000)))
        texts(&model.texts)
        return model
    }

    /// What the app draws, line by line.
    private func lines(_ model: AuthPromptModel) -> [String] {
        let content = model.content
        let fields = content.fields.map {
            "\($0.label)\($0.isRequired ? "*" : "")\($0.termsLabel.map { " · \($0)" } ?? "")"
        }
        let wait = model.secondsUntilResend > 0 ? " in \(model.secondsUntilResend) s" : ""
        let resend = content.resendTitle.map { "[\($0)\(wait)]\(model.canResend ? "" : " disabled")" }
        let submit = content.submitTitle.map { "[\($0)]\(model.canAnswer && !model.isSending ? "" : " disabled")" }
        return [content.title] + fields
            + [content.qrCode.map { _ in "QR code" }, content.linkTitle, submit, resend, model.failure].compactMap(
                \.self)
    }

    @Test func modelHasWhatASheetShows() {
        let code = model(.code(.init(length: 6, resendAfter: .seconds(30))))
        #expect(lines(code) == ["Enter the code", "Code*", "[Continue]", "[Send another code in 30 s] disabled"])
        #expect(code.validUntil?.isEmpty == false)
        #expect(code.announcement == "Enter the code. Your authenticator app shows it.")
        let terms = Challenge.Field(id: "terms", kind: .consent, url: URL(literal: "https://example.com/terms"))
        #expect(lines(model(.form([terms])))[1] == "I agree to the terms of use* · Read: I agree to the terms of use")
        let key = Challenge.Enrollment(secret: Secret("JBSWY3DP"), url: Secret("otpauth://totp/a?secret=JBSWY3DP"))
        #expect(lines(model(.enrollment(key))).contains("QR code"))
    }

    @Test func textsAreTheApps() {
        let code = model(.code(.init(resendAfter: .zero))) {
            $0.authenticatorCode = "See the app."
            $0.validUntil = "until {time}"
        }
        #expect(code.content.explanation == "See the app." && code.validUntil?.hasPrefix("until ") == true)
        let sent = model(.code(.init(to: "a•••@example.com"))) { $0.explanations[.code] = "Look at {destination}." }
        #expect(sent.content.explanation == "Look at a•••@example.com.")
        let page = model(.page(.init(URL(literal: "https://auth.example.com/page")))) { $0.openPage = "Open it" }
        #expect(page.content.submitTitle == "Open it")
        let form = model(.form([.init(id: "terms", kind: .consent, url: URL(literal: "https://example.com"))])) {
            $0.readTerms = "See {label}"
        }
        #expect(form.content.fields.first?.termsLabel?.hasPrefix("See ") == true)
    }

    @Test(arguments: ["en", "ko"]) func standardTextsHaveThePlacesThatASheetFillsIn(language: String) {
        let texts = AuthPromptTexts.standard(for: Locale(identifier: language))
        #expect(texts.resendLater.contains("{time}") && texts.resendWait.contains("{seconds}"))
        for text in [texts.lastAttempt, texts.pageClosed, texts.qrCode] {
            #expect(!text.isEmpty && !text.contains("{"))
        }
    }
}
