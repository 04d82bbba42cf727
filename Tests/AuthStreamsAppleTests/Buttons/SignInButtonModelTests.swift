import AuthStreams
import AuthStreamsApple
import Foundation
import Testing

/// What a button shows and tells VoiceOver.
@Suite struct SignInButtonModelTests {
    private func model(
        _ provider: ProviderID, _ wording: SignInButtonWording = .signIn, in locale: String = "en_US"
    ) -> SignInButtonModel {
        SignInButtonModel(provider, wording: wording, texts: .standard(for: Locale(identifier: locale)))
    }

    @Test func languagesAreSideBySideInOneProcess() {
        let locales = ["ko_KR", "en_US", "ko", "en-GB"]
        #expect(
            locales.map { model(.kakao, in: $0).title } == [
                "카카오 로그인", "Login with Kakao", "카카오 로그인", "Login with Kakao",
            ])
    }

    @Test(arguments: ["ja_JP", "de_DE", "zz", ""]) func anyOtherLanguageGetsEnglish(locale: String) {
        #expect(model(.naver, in: locale).title == "Log in with NAVER")
    }

    @Test func voiceOverNamesTheProviderThatAShortTitleLeavesToTheLogo() {
        let english = model(.kakao, .short)
        #expect((english.title, english.accessibilityLabel) == ("Login", "Login with Kakao"))
        let korean = model(.kakao, .short, in: "ko")
        #expect((korean.title, korean.accessibilityLabel) == ("로그인", "카카오 로그인"))
    }

    @Test(arguments: [
        (ProviderID.apple, "Continue with Apple", "Continue with Apple to link your account", "Apple로 계속하기, 계정 연결"),
        (
            .google, "Continue with Google", "Continue with Google to link your account",
            "Google 계정으로 계속하기, 계정 연결"
        ), (.kakao, "Link Kakao", "Link Kakao", "카카오 연결"), (.naver, "Link NAVER", "Link NAVER", "네이버 연결"),
        (.passkey, "Add a passkey", "Add a passkey", "패스키 추가"),
        ("acme", "Link acme", "Link acme", "acme 연결"),
    ])
    func voiceOverSaysThatAButtonLinks(provider: ProviderID, title: String, label: String, korean: String) {
        let link = SignInButtonModel(provider, action: .link, texts: .english)
        #expect(link.wording == .link && link.title == title && link.accessibilityLabel == label)
        #expect(SignInButtonModel(provider, action: .link, texts: .korean).accessibilityLabel == korean)
    }

    @Test func linkWithTheWordsOfASignInSaysWhatItDoes() {
        let short = SignInButtonModel(.kakao, action: .link, wording: .short, texts: .english)
        #expect((short.title, short.accessibilityLabel) == ("Login", "Login with Kakao to link your account"))
        let standard = SignInButtonModel(.naver, action: .link, wording: .signIn, texts: .english)
        #expect(standard.accessibilityLabel == "Log in with NAVER to link your account")
    }

    @Test func valueOfALinkInProgressIsThatOfTheLink() {
        var model = SignInButtonModel(.kakao, action: .link, isInProgress: true, texts: .english)
        #expect(model.accessibilityValue == "Linking")
        model.texts = .korean
        #expect(model.accessibilityValue == "연결 중")
    }

    @Test func voiceOverReadsEveryOtherTitleAsItIs() {
        for wording in SignInButtonWording.allCases where wording != .short {
            for provider in [ProviderID.apple, .google, .kakao, .naver, "acme"] {
                let model = model(provider, wording)
                #expect(model.accessibilityLabel == model.title)
            }
        }
    }

    @Test(arguments: [
        (ProviderID.apple, SignInButtonWording.short, "Sign in with Apple"), (.google, .short, "Sign in with Google"),
        (.kakao, .signUp, "Login with Kakao"), (.kakao, .continue, "Login with Kakao"),
        (.naver, .short, "Log in with NAVER"),
    ])
    func wordingThatTheVendorDoesNotAllowIsTheStandardOne(
        provider: ProviderID, wording: SignInButtonWording, title: String
    ) {
        #expect(model(provider, wording).title == title)
    }

    @Test func providerWithoutANameIsCalledByItsIdentifier() {
        #expect(model("acme").title == "Sign in with acme" && model("acme", in: "ko").title == "acme 로그인")
        #expect(model("acme", .short).accessibilityLabel == "Sign in with acme")
        var texts = SignInButtonTexts.english
        texts.providerNames["acme"] = "ACME"
        #expect(SignInButtonModel("acme", texts: texts).title == "Sign in with ACME")
    }

    @Test func ownTitleOfAProviderIsUsed() {
        var texts = SignInButtonTexts.english
        texts.titles["acme"] = [.continue: "Go on with ACME"]
        #expect(SignInButtonModel("acme", wording: .continue, texts: texts).title == "Go on with ACME")
        // The provider has no title for signing in.
        #expect(SignInButtonModel("acme", texts: texts).title == "Sign in with acme")
    }

    @Test func valueIsTheProgressOtherwiseTheBadge() {
        var model = model(.naver)
        #expect(model.badge == nil && model.accessibilityValue == nil)
        model.isLastUsed = true
        #expect(model.badge == "Last used" && model.accessibilityValue == "Last used")
        model.isInProgress = true
        #expect(model.badge == "Last used" && model.accessibilityValue == "Signing in")
        model.texts = .korean
        #expect(model.badge == "최근 사용" && model.accessibilityValue == "로그인 중")
    }

    @Test func badgeIsOnTheProviderThatWasUsedLastByAnyMethod() {
        let models = SignInButtonModel.all(
            for: [.naver, .kakao], lastSignIn: SignInMethod(.kakao, using: .web), wording: .continue, texts: .english)
        #expect(models.map(\.provider) == [.naver, .kakao])
        #expect(models.map(\.isLastUsed) == [false, true])
        #expect(models.map(\.title) == ["Start with NAVER", "Login with Kakao"])
        let unknown = SignInButtonModel.all(for: [.naver], lastSignIn: SignInMethod(.google), texts: .english)
        #expect(unknown.map(\.isLastUsed) == [false])
        #expect(SignInButtonModel.all(for: [.naver], lastSignIn: nil, texts: .english).map(\.isLastUsed) == [false])
    }

    @Test func colorIsWrittenAsGuidesDo() {
        #expect(SignInButtonStyle.Color(0x00_0ABC).description == "#000ABC")
        #expect(SignInButtonStyle.Color(0xFF_FEE500) == SignInButtonStyle.Color(0xFEE500))
        #expect(SignInButtonStyle.Color(0, opacity: 0.85).description == "#000000 85 %")
        #expect(
            SignInButtonStyle.Color(0, opacity: 7).opacity == 1 && SignInButtonStyle.Color(0, opacity: -1).opacity == 0)
        let color = SignInButtonStyle.Color(0xFF8000)
        #expect((color.red, color.blue) == (1, 0) && abs(color.green - 128.0 / 255) < 0.0001)
    }
}
