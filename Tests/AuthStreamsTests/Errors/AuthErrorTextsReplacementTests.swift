import AuthStreams
import Testing

@Suite struct AuthErrorTextsReplacementTests {
    private let offline = AuthError(.network, "", provider: .kakao)

    @Test func literalIsSaidWhateverTheProvider() {
        var texts = AuthErrorTexts.english
        texts[.network] = "You seem to be offline."
        #expect(texts.text(for: offline) == "Kakao sign-in failed. You seem to be offline.")
        #expect(texts.text(for: AuthError(.network, "")) == "Sign-in failed. You seem to be offline.")
        #expect(AuthErrorTexts.english.text(for: offline) == "Kakao sign-in failed. The server could not be reached.")
    }

    @Test func namedFormTakesTheProvidersName() {
        var texts = AuthErrorTexts.english
        texts.operations[.signIn] = .init("Oh.", named: "{provider}, oh.", byProvider: [.naver: "네이버!"])
        texts[.network] = .init("Offline.", named: "{provider} is out of reach.")
        #expect(texts.text(for: offline) == "Kakao, oh. Kakao is out of reach.")
        #expect(texts.text(for: AuthError(.network, "", provider: .naver)) == "네이버! Naver is out of reach.")
        #expect(texts.text(for: AuthError(.network, "", provider: "line")) == "Oh. Offline.")
        texts.providerNames["line"] = "LINE"
        #expect(texts.text(for: AuthError(.network, "", provider: "line")) == "LINE, oh. LINE is out of reach.")
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
        #expect(texts.text(for: AuthError(.cancelled, "")) == "Sign-in failed. You went back.")
    }

    @Test func thirdLanguageIsMadeFromScratch() {
        let texts = AuthErrorTexts(
            [.network: "Keine Verbindung."], otherwise: "Das ging schief.", providerNames: [.kakao: "Kakao"])
        #expect(texts.text(for: offline) == "Das ging schief. Keine Verbindung.")
        #expect(texts.text(for: AuthError(.server, "")) == "Das ging schief.")
        #expect(texts.text(for: AuthError(.superseded, "")) == nil)
    }
}
