import AuthStreams
import Testing

@Suite struct AuthErrorTextsReplacementTests {
    private let offline = AuthError(.network, "", provider: .kakao)

    @Test func literalIsSaidWhateverTheProvider() {
        var texts = AuthErrorTexts.english
        texts[.network] = "You seem to be offline."
        #expect(texts.text(for: offline) == "You seem to be offline.")
        #expect(texts.text(for: AuthError(.network, "")) == "You seem to be offline.")
        #expect(AuthErrorTexts.english.text(for: offline) != "You seem to be offline.")
    }

    @Test func namedFormTakesTheProvidersName() {
        var texts = AuthErrorTexts.english
        texts[.network] = .init("Offline.", named: "{provider} is out of reach.", byProvider: [.naver: "네이버!"])
        #expect(texts.text(for: offline) == "Kakao is out of reach.")
        #expect(texts.text(for: AuthError(.network, "", provider: .naver)) == "네이버!")
        #expect(texts.text(for: AuthError(.network, "", provider: "line")) == "Offline.")
        texts.providerNames["line"] = "LINE"
        #expect(texts.text(for: AuthError(.network, "", provider: "line")) == "LINE is out of reach.")
    }

    @Test func takenBackSentenceBecomesTheGeneralOne() {
        var texts = AuthErrorTexts.english
        texts[.network] = nil
        #expect(texts.text(for: offline) == "Kakao sign-in did not work.")
    }

    @Test func appDecidesWhatIsSilent() {
        var texts = AuthErrorTexts.english
        texts.silent = [.network]
        texts[.cancelled] = "You went back."
        #expect(texts.text(for: offline) == nil)
        #expect(texts.text(for: AuthError(.cancelled, "")) == "You went back.")
    }

    @Test func thirdLanguageIsMadeFromScratch() {
        let texts = AuthErrorTexts(
            [.network: "Keine Verbindung."], otherwise: "Das ging schief.", providerNames: [.kakao: "Kakao"])
        #expect(texts.text(for: offline) == "Keine Verbindung.")
        #expect(texts.text(for: AuthError(.server, "")) == "Das ging schief.")
        #expect(texts.text(for: AuthError(.superseded, "")) == nil)
    }
}
