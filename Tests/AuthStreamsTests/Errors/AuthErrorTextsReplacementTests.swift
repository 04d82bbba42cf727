import AuthStreams
import Testing

@Suite struct AuthErrorTextsReplacementTests {
    private let offline = failedSignIn(.network, by: .kakao)

    private static func failedSignIn(_ code: AuthError.Code, by provider: ProviderID? = nil) -> AuthError {
        var error = AuthError(code, "", provider: provider)
        error.operation = .signIn
        return error
    }

    @Test func literalIsSaidWhateverTheProvider() {
        var texts = AuthErrorTexts.english
        texts[.network] = "You seem to be offline."
        #expect(texts.text(for: offline) == "Kakao sign-in failed. You seem to be offline.")
        #expect(texts.text(for: Self.failedSignIn(.network)) == "Sign-in failed. You seem to be offline.")
        #expect(AuthErrorTexts.english.text(for: offline) == "Kakao sign-in failed. The server could not be reached.")
    }

    @Test func namedFormTakesTheProvidersName() {
        var texts = AuthErrorTexts.english
        texts.operations[.signIn] = .init("Oh.", named: "{provider}, oh.", byProvider: [.naver: "네이버!"])
        texts[.network] = .init("Offline.", named: "{provider} is out of reach.")
        #expect(texts.text(for: offline) == "Kakao, oh. Kakao is out of reach.")
        #expect(texts.text(for: Self.failedSignIn(.network, by: .naver)) == "네이버! Naver is out of reach.")
        #expect(texts.text(for: Self.failedSignIn(.network, by: "line")) == "Oh. Offline.")
        texts.providerNames["line"] = "LINE"
        #expect(texts.text(for: Self.failedSignIn(.network, by: "line")) == "LINE, oh. LINE is out of reach.")
    }

    @Test func withoutASentenceForTheCodeTheOperationIsSaidAlone() {
        var texts = AuthErrorTexts.english
        texts[.network] = nil
        #expect(texts.text(for: offline) == "Kakao sign-in failed.")
    }

    @Test func appDecidesWhatIsSilent() {
        var texts = AuthErrorTexts.english
        texts.silent = [.network]
        texts[.cancelled] = "You went back."
        #expect(texts.text(for: offline) == nil)
        #expect(texts.text(for: Self.failedSignIn(.cancelled)) == "Sign-in failed. You went back.")
    }

    @Test func thirdLanguageIsMadeFromScratch() {
        let texts = AuthErrorTexts(
            [.network: "Keine Verbindung."], otherwise: "Das ging schief.", providerNames: [.kakao: "Kakao"])
        #expect(texts.text(for: offline) == "Das ging schief. Keine Verbindung.")
        #expect(texts.text(for: Self.failedSignIn(.server)) == "Das ging schief.")
        #expect(texts.text(for: Self.failedSignIn(.superseded)) == nil)
    }
}
