import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import SwiftUI
import TestSupport
import Testing

/// What SwiftUI's buttons look like, and what VoiceOver says of them.
@Suite @MainActor struct SignInButtonLookTests {
    private func host(
        _ button: some View, _ change: (inout EnvironmentValues) -> Void = { _ in }
    ) -> ViewHost { ViewHost(button, auth: .preview(.signedOut), change) }

    @Test(arguments: [ProviderID.google, .kakao, .naver, "acme"], [ColorScheme.light, .dark])
    func colorsAreThoseOfTheStyleInEachAppearance(provider: ProviderID, scheme: ColorScheme) {
        let host = host(SignInButton(provider))
        host.change { $0.colorScheme = scheme }
        let colors = SignInButtonStyle.standard(for: provider).colors(isDark: scheme == .dark)
        func color(_ color: SignInButtonStyle.Color) -> Color {
            Color(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: color.opacity)
        }
        #expect(host.root.values("background") == [color(colors.background)])
        #expect(host.root.values("foregroundStyle") == [color(colors.title)])
        #expect(host.root.values("strokeBorder") == [colors.border].compactMap(\.self).map(color))
    }

    /// Apple's button has the size of the hidden label below it. It draws its title in proportion to that.
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver], [0.8, 1, 3])
    func sizeIsAMinimumThatGrowsWithTheTextSizeAndNeverFixed(provider: ProviderID, textScale: Double) {
        let style = SignInButtonStyle.standard(for: provider)
        let root = host(SignInButton(provider).lastUsed()) { $0.textScale = textScale }.root
        #expect(
            root.values("frame", as: Frame.self).filter { $0.minWidth != nil } == [
                Frame(
                    minWidth: style.minimumWidth, maxWidth: style.maximumWidth,
                    minHeight: style.minimumHeight * max(textScale, 1))
            ])
        #expect(root.values("frame", as: Frame.self).allSatisfy { $0.maxHeight == nil })
    }

    @Test func titleHasNoLineLimitAndFollowsTheTextSize() {
        let root = host(SignInButton(.kakao).lastUsed()) { $0.textScale = 2 }.root
        #expect(root.all("lineLimit").count == 2 && root.all("lineLimit").allSatisfy { $0.value == nil })
        let fonts = root.values("font", as: Font.self)
        #expect(fonts.map(\.size) == [30, nil] && fonts.map(\.textStyle) == [nil, .caption])
        #expect(host(SignInButton(.google)).root.values("font", as: Font.self).map(\.name) == ["GoogleSans-Medium"])
    }

    @Test(arguments: [ProviderID.apple, .kakao]) func badgeIsBelowTheButtonWithItsClearSpace(provider: ProviderID) {
        let root = host(SignInButton(provider).lastUsed()) { $0.textScale = 2 }.root
        let column = root.all("VStack")[0]
        #expect((column.value as? CGFloat).map { abs($0 - 8.8) < 0.01 } == true)
        #expect(column.children.last?.texts == ["Last used"] && column.children.last?.all("background").isEmpty == true)
    }

    @Test func logoGrowsWithTheTextSizeAndKeepsItsProportions() {
        let host = host(SignInButton(.kakao) { Text(verbatim: "logo") }) { $0.textScale = 2 }
        #expect(host.root.values("frame").contains(Frame(width: 36, height: 36)))
        #expect(host.root.values("aspectRatio") == [ContentMode.fit])
    }

    @Test func voiceOverReadsTheTitleAndThatItWasUsedLast() {
        let root = host(SignInButton(.kakao, wording: .short).lastUsed()).root
        #expect(root.texts == ["Login", "Last used"])
        #expect(root.labeled("Login with Kakao").count == 1)
        #expect(root.accessibilityValues == ["Last used"])
    }

    @Test func buttonOfAPasskeyHasTheSystemsSymbol() {
        let root = host(SignInButton(.passkey) { Text(verbatim: "logo") }).root
        #expect(root.values("Image") == ["person.badge.key"] && root.texts == ["Sign in with a passkey"])
        let korean = host(SignInButton(.passkey)) { $0.locale = Locale(identifier: "ko") }.root
        #expect(korean.values("Image") == ["person.badge.key"] && korean.texts == ["패스키로 로그인"])
    }

    @Test(arguments: [
        (ColorScheme.light, SignInWithAppleButton.Style.black), (.dark, .white),
    ])
    func buttonOfAppleIsApplesOwn(scheme: ColorScheme, style: SignInWithAppleButton.Style) {
        let root = host(SignInButton(.apple, wording: .continue)) { $0.colorScheme = scheme }.root
        #expect(root.values("SignInWithAppleButton") == [SignInWithAppleButton.Label.continue])
        #expect(root.values("signInWithAppleButtonStyle") == [style])
        #expect(root.labeled("Continue with Apple").count == 1)
    }

    /// Apple has no title for linking.
    @Test func linkOfAppleIsTitledAsContinuing() {
        let root = host(SignInButton(.apple, action: .link)).root
        #expect(root.values("SignInWithAppleButton") == [SignInWithAppleButton.Label.continue])
        #expect(root.labeled("Continue with Apple to link your account").count == 1)
    }

    /// The provider makes the authorization, with the nonce of the attempt.
    @Test func buttonOfAppleIsAPictureThatTakesNoTapsAndIsNotRead() async throws {
        let auth = AuthService.preview()
        let host = ViewHost(SignInButton(.apple), auth: auth)
        let hidden = try #require(host.root.all("accessibilityHidden").first)
        #expect(hidden.value as? Bool == true && hidden.all("SignInWithAppleButton").count == 1)
        host.tap("Sign in with Apple")
        await host.waitUntilIdle()
        #expect(auth.user == AuthPreview.user)
    }

    @Test func ownStyleAndTextsAreUsed() {
        var style = SignInButtonStyle.neutral
        style.minimumHeight = 60
        var texts = SignInButtonTexts.english
        texts.providerNames = ["acme": "ACME"]
        let root = host(SignInButton("acme", style: style, texts: texts)).root
        #expect(root.texts == ["Sign in with ACME"])
        #expect(root.values("frame", as: Frame.self).map(\.minHeight) == [60])
    }
}
