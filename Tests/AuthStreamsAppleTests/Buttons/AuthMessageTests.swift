import AuthStreams
import AuthStreamsApple
import Foundation
import Testing

/// What a person is told about a sign-in that failed.
@Suite struct AuthMessageTests {
    private func message(_ error: AuthError, in locale: String = "en_US") -> AuthMessage? {
        AuthMessage(error, locale: Locale(identifier: locale))
    }

    @Test(arguments: [AuthError.Code.cancelled, .superseded, .noPasskey])
    func ownCancelAndAnAttemptThatWasReplacedTellNothing(code: AuthError.Code) {
        #expect(message(AuthError(code, "The person turned back.", provider: .kakao)) == nil)
    }

    @Test func everyOtherErrorHasASentenceInBothLanguages() {
        for code in AuthError.Code.allKnown where ![.cancelled, .superseded, .noPasskey].contains(code) {
            let error = AuthError(code, "For engineers.", provider: .kakao)
            let texts = ["en_US", "ko_KR"].compactMap { message(error, in: $0)?.text }
            #expect(Set(texts).count == 2 && !texts.contains(""), "\(code)")
        }
    }

    /// An app's own code has no sentence. The person sees that of the operation, never the explanation for engineers.
    @Test(arguments: [("en_US", "Kakao sign-in failed."), ("ko_KR", "카카오 로그인에 실패했습니다.")])
    func errorWithoutATextShowsTheGeneralSentence(locale: String, text: String) throws {
        var error = AuthError(AuthError.Code(rawValue: "outOfCoffee"), "The machine is empty.", provider: .kakao)
        error.operation = .signIn
        let shown = try #require(message(error, in: locale))
        #expect(shown.text == text)
        #expect(!shown.text.contains("machine") && !(shown.suggestion ?? "").contains("machine"))
        #expect(shown.error == error)
    }

    @Test func providerWithoutANameIsNotNamed() {
        var error = AuthError(AuthError.Code(rawValue: "outOfCoffee"), "The machine is empty.", provider: "acme")
        error.operation = .signIn
        #expect(message(error)?.text == "Sign-in failed.")
    }

    @Test func anyOtherLanguageGetsEnglish() {
        let error = AuthError(.network, "Offline.", provider: .naver)
        #expect(message(error, in: "ja_JP") == message(error))
    }

    @Test func suggestionSaysWhatThePersonCanDo() {
        #expect(message(AuthError(.rateLimited, "Too many."))?.suggestion == "Please try again later.")
    }

    @Test func appCanSilenceAnErrorAndChangeItsSentence() {
        var texts = AuthErrorTexts.english
        texts.silent.insert(.network)
        texts[.server] = "The kitchen is closed."
        #expect(AuthMessage(AuthError(.network, "Offline."), texts: texts) == nil)
        let shown = AuthMessage(AuthError(.server, "503."), texts: texts)
        #expect(shown?.text == "It did not work. The kitchen is closed.")
    }
}
