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
    private static let operations: [AuthOperation?] = [nil] + AuthOperation.allKnown
    private static let shown = AuthError.Code.allKnown.filter { ![.cancelled, .superseded, .noPasskey].contains($0) }

    private static func error(_ code: AuthError.Code, _ operation: AuthOperation?, _ provider: ProviderID?) -> AuthError
    {
        var error = AuthError(code, "", provider: provider)
        error.operation = operation
        return error
    }

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

    @Test(arguments: Language.all)
    func everyCodeAndEveryOperationHasASentence(language: Language) {
        #expect(Set(language.texts.sentences.keys) == Set(Self.shown))
        #expect(Set(language.texts.operations.keys) == Set(AuthOperation.allKnown))
    }

    /// The whole table: each text says what did not succeed and why, and neither says what the other or the suggestion says.
    @Test(arguments: Language.all, operations)
    func textSaysWhatDidNotSucceedAndWhy(language: Language, operation: AuthOperation?) throws {
        for provider in Self.providers {
            let ownCode = Self.error(.init(rawValue: "ours"), operation, provider)
            let what = try #require(language.texts.text(for: ownCode))
            var seen: [String: AuthError.Code] = [what: ownCode.code]
            for code in Self.shown {
                let error = Self.error(code, operation, provider)
                let text = try #require(language.texts.text(for: error))
                #expect(text.hasPrefix(what + " ") && text.hasSuffix(".") && !text.contains("  "), "\(text)")
                #expect(seen.updateValue(code, forKey: text) == nil, "\(code.rawValue) says what another code says")
                let suggestion = language.texts.suggestion(for: error)
                let signsOut = [.signOut, .signOutEverywhere].contains(operation)
                #expect((suggestion == nil) == (signsOut && code == .notSignedIn), "\(text)")
                let parts = "\(text) \(suggestion ?? "-.") ".split(separator: ". ")
                #expect(parts.count >= 3 && Set(parts).count == parts.count, "\(text) \(suggestion ?? "")")
            }
        }
    }

    @Test(arguments: Language.all)
    func operationsHaveWordsOfTheirOwn(language: Language) throws {
        for provider in Self.providers {
            let texts = AuthOperation.allKnown.map { language.texts.text(for: Self.error(.network, $0, provider)) }
            #expect(Set(texts).count == AuthOperation.allKnown.count)
            let unnamed = language.texts.text(for: Self.error(.network, nil, provider))
            #expect(unnamed?.hasPrefix(language.texts.otherwise.general) == true && !texts.contains(unnamed))
        }
        let failedSignIn = language.texts == .english ? "ign-in failed" : "로그인에 실패"
        for operation in AuthOperation.allKnown {
            for code in Self.shown {
                let text = try #require(language.texts.text(for: Self.error(code, operation, .kakao)))
                #expect(text.contains(failedSignIn) == (operation == .signIn), "\(text)")
            }
        }
    }

    @Test(arguments: Language.all)
    func providerWithANameIsNamedWhereThePersonChoseIt(language: Language) throws {
        for operation: AuthOperation in [.signIn, .link, .unlink, .reauthentication] {
            for (provider, name) in language.texts.providerNames {
                let text = try #require(language.texts.text(for: Self.error(.network, operation, provider)))
                #expect(text.contains(name))
            }
            let unnamed = language.texts.text(for: Self.error(.network, operation, nil))
            #expect(language.texts.text(for: Self.error(.network, operation, "line")) == unnamed)
        }
    }

    /// Words of engineers. A code is what a person enters.
    private static let technical = [
        "token", "nonce", "oauth", "openid", "json", "http", "url", "null", "exception", "credential",
        "redirect", "callback", "client", "토큰", "논스", "예외", "콜백", "리디렉션", "클라이언트", "코드",
    ]

    @Test(arguments: Language.all, shown)
    func sentenceIsForPeople(language: Language, code: AuthError.Code) throws {
        for provider in Self.providers {
            for operation in Self.operations {
                let text = try #require(language.texts.text(for: Self.error(code, operation, provider)))
                for word in Self.technical { #expect(!text.lowercased().contains(word), "\(text)") }
                // Nor what looks like a value of theirs.
                #expect(!text.contains(/[A-Za-z0-9_\-]{16,}|[{}<>_%\\]/), "\(text)")
                #expect(text.count < 200)
            }
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

    @Test(arguments: Language.all, [AuthError.Code.cancelled, .superseded, .noPasskey])
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

    @Test(
        arguments: [
            (.userNotFound, .signIn, .anotherWay), (.userNotFound, .request, .signIn),
            (.secondFactorRequired, .link, .anotherWay), (.unsupportedProvider, .reload, .contactSupport),
            (.accountExists, .link, .anotherAccount), (.accountExists, .signIn, .earlierWay),
            (.credentialInUse, .link, .anotherAccount), (.credentialInUse, .deletion, .ownAccount),
            (.credentialInUse, .reauthentication, .ownAccount), (.notSignedIn, .request, .signIn),
            (.notSignedIn, .signOut, nil), (.network, nil, .checkConnection),
        ] as [(AuthError.Code, AuthOperation?, AuthErrorTexts.Suggestion?)])
    func suggestionFitsTheOperation(
        code: AuthError.Code, operation: AuthOperation?, suggestion: AuthErrorTexts.Suggestion?
    ) {
        #expect(AuthErrorTexts.Suggestion(for: Self.error(code, operation, nil)) == suggestion)
    }

    @Test func koreanIsKorean() {
        #expect(
            AuthErrorTexts.korean.text(for: Self.error(.unexpected, .signIn, .google))
                == "구글 로그인에 실패했습니다. 예기치 않은 문제가 발생했습니다.")
        for code in Self.shown {
            for operation in Self.operations {
                let text = AuthErrorTexts.korean.text(for: Self.error(code, operation, .kakao)) ?? "-"
                #expect(!text.contains(/[A-Za-z]/) && text.contains(/[가-힣]/), "\(text)")
            }
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
