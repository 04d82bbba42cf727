import AuthStreams
import Foundation
import TestSupport
import Testing

@Suite struct AuthErrorTextsTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let texts: AuthErrorTexts

        static let all = [
            Language(testDescription: "English", texts: .english), Language(testDescription: "Korean", texts: .korean),
        ]
    }

    private static let providers: [ProviderID?] = [nil, .apple, .google, .kakao, .naver, .password, .anonymous, "line"]
    private static let shown = AuthError.Code.allKnown.filter { ![.cancelled, .superseded].contains($0) }

    @Test func listOfCodesIsWhatTheFileDeclares() throws {
        let file = try sourceFile("Sources/AuthStreams/Errors/AuthError+Code.swift")
        let declared = file.matches(of: /static let (\w+) = Self\("(\w+)"\)/)
        #expect(declared.map { String($0.1) } == declared.map { String($0.2) })
        #expect(declared.map { String($0.1) } == AuthError.Code.allKnown.map(\.rawValue))
        #expect(declared.count > 20)
        // Written another way, a code would not be among them.
        #expect(file.matches(of: /static (let|var) \w+(: (Self|Code|AuthError\.Code))? ?[={]/).count == declared.count)
    }

    @Test func libraryMakesNoCodeAnywhereElse() throws {
        let files = try sourceFiles(below: "Sources")
        #expect(files.count > 200)
        for (path, text) in files where !path.hasSuffix("/AuthError+Code.swift") {
            #expect(!text.contains(/extension AuthError\.Code\b|AuthError\.Code\(|AuthError\(\s*\.init\(/), "\(path)")
        }
    }

    @Test func everyProviderOfTheLibraryHasAName() throws {
        let file = try sourceFile("Sources/AuthStreams/Model/ProviderID.swift")
        let declared = file.matches(of: /static let \w+: Self = "([\w.]+)"/).map { ProviderID(rawValue: String($0.1)) }
        #expect(declared.count >= 6)
        for language in Language.all { #expect(Set(language.texts.providerNames.keys) == Set(declared)) }
    }

    @Test(arguments: Language.all, providers)
    func everyCodeHasASentenceOfItsOwn(language: Language, provider: ProviderID?) throws {
        var seen: [String: AuthError.Code] = [:]
        for code in Self.shown {
            let sentence = try #require(language.texts.text(for: AuthError(code, "", provider: provider)))
            #expect(seen.updateValue(code, forKey: sentence) == nil, "\(code.rawValue) says what another code says")
            #expect(sentence.hasSuffix(".") && !sentence.contains("{") && !sentence.contains("  "))
            #expect(language.texts.sentences[code] != nil)
        }
        let unknown = try #require(
            language.texts.text(for: AuthError(.init(rawValue: "ours"), "", provider: provider)))
        #expect(seen[unknown] == nil)
    }

    @Test(arguments: Language.all, shown)
    func sentenceNamesTheProviderThatHasAName(language: Language, code: AuthError.Code) throws {
        for (provider, name) in language.texts.providerNames {
            let sentence = try #require(language.texts.text(for: AuthError(code, "", provider: provider)))
            #expect(sentence.contains(name))
        }
        #expect(
            language.texts.text(for: AuthError(code, "", provider: "line"))
                == language.texts.text(for: AuthError(code, "")))
    }

    /// Words of engineers.
    private static let technical = [
        "token", "nonce", "oauth", "openid", "json", "http", "url", "null", "exception", "code", "credential",
        "redirect", "callback", "client", "토큰", "논스", "예외", "콜백", "리디렉션", "클라이언트", "코드",
    ]

    @Test(arguments: Language.all, shown)
    func sentenceIsForPeople(language: Language, code: AuthError.Code) throws {
        for provider in Self.providers {
            let sentence = try #require(language.texts.text(for: AuthError(code, "", provider: provider)))
            for word in Self.technical { #expect(!sentence.lowercased().contains(word), "\(code.rawValue)") }
            // Nor what looks like a value of theirs.
            #expect(!sentence.contains(/[A-Za-z0-9_\-]{16,}|[{}<>_%\\]/), "\(code.rawValue)")
            #expect(sentence.count < 200)
        }
    }

    @Test(arguments: Language.all, AuthError.Code.allKnown)
    func nothingOfTheErrorGetsIntoTheSentence(language: Language, code: AuthError.Code) {
        let plain = AuthError(code, "", provider: .kakao)
        let full = AuthError(
            code, "leak-explanation", provider: .kakao, step: .exchanging, serverCode: "leak-code",
            retryAfter: .seconds(7), cause: CancellationError())
        #expect(language.texts.text(for: full) == language.texts.text(for: plain))
    }

    @Test(arguments: Language.all, [AuthError.Code.cancelled, .superseded])
    func personsOwnCancelIsNotShown(language: Language, code: AuthError.Code) {
        for provider in Self.providers {
            #expect(language.texts.text(for: AuthError(code, "", provider: provider)) == nil)
        }
        #expect(AuthError(code, "").errorDescription == nil)
    }

    @Test func whatIsSilentIsWhatThePersonEndedThemselves() {
        for code in AuthError.Code.allKnown {
            #expect(AuthError(code, "").isUserCancellation == AuthErrorTexts.english.silent.contains(code))
        }
        #expect(AuthErrorTexts.korean.silent == AuthErrorTexts.english.silent)
    }

    @Test func koreanIsKorean() {
        #expect(AuthErrorTexts.korean.text(for: AuthError(.unexpected, "", provider: .google)) == "구글 로그인에 실패했습니다.")
        for code in Self.shown {
            let sentence = AuthErrorTexts.korean.text(for: AuthError(code, "")) ?? ""
            #expect(!sentence.contains(/[A-Za-z]/), "\(code.rawValue)")
        }
    }

    @Test(arguments: [
        (["ko-KR", "en-US"], true), (["ko"], true), (["ko_KR"], true), (["KO-KR"], true), (["fr-FR", "ko-KR"], true),
        (["en-US", "ko-KR"], false), (["fr-FR"], false), ([], false), (["kok-IN"], false), ([""], false),
    ])
    func firstLanguageThatHasTextsIsUsed(languages: [String], isKorean: Bool) {
        #expect(AuthErrorTexts.preferred(languages: languages) == (isKorean ? .korean : .english))
    }

    @Test func errorDescriptionIsThePreferredLanguagesText() {
        let error = AuthError(.network, "No route.", provider: .kakao)
        #expect(error.errorDescription == AuthErrorTexts.preferred().text(for: error))
        #expect(error.localizedDescription == error.errorDescription)
    }
}
