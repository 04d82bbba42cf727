import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

/// What UIKit's buttons do and look like.
@Suite @MainActor struct SignInButtonViewTests {
    let fixture = ViewModelFixture()
    let messages = Record<AuthMessage>()

    private func button(
        _ provider: ProviderID, _ auth: AuthService? = nil, locale: String = "en_US", logo: UIImage? = nil
    ) -> SignInButtonView {
        SignInButtonView(provider, auth: auth ?? fixture.auth, locale: Locale(identifier: locale), logo: logo) {
            [messages] in messages.elements.append($0)
        }
    }

    // MARK: Taps

    @Test func twentyTapsAreOneAttempt() async throws {
        let button = button(.kakao)
        for _ in 1...20 { button.tap() }
        await fixture.asked.value()
        #expect(button.control.accessibilityValue == "Signing in")
        #expect(button.configuration?.showsActivityIndicator == true)
        for _ in 1...20 { button.tap() }
        fixture.answer.resolve(.success(()))
        try await button.waitUntilIdle()
        #expect(button.configuration?.showsActivityIndicator == false)
        #expect(fixture.attempts.withLock { $0 } == 1)
        #expect(fixture.auth.user?.id == "kakao:1001")
        #expect(messages.elements.isEmpty)
    }

    @Test func buttonShowsASignInThatAnotherViewBegan() async throws {
        let (kakao, google) = (button(.kakao), button(.google))
        let attempt = Task { await fixture.auth.signIn(with: .kakao).result }
        try await wait(for: "the button to show the sign-in") { kakao.control.accessibilityValue == "Signing in" }
        #expect(google.control.accessibilityValue == nil)
        #expect(button(.kakao).control.accessibilityValue == "Signing in")
        fixture.answer.resolve(.success(()))
        _ = await attempt.value
        try await kakao.waitUntilIdle()
    }

    @Test func resultIsToldOnceAlsoAfterTheButtonHasGone() async throws {
        let results = Record<SignInResult>()
        var button: SignInButtonView? = SignInButtonView(.kakao, auth: fixture.auth) {
            results.elements.append($0)
        } onError: { [messages] in
            messages.elements.append($0)
        }
        button?.tap()
        await fixture.asked.value()
        button = nil
        fixture.answer.resolve(.success(()))
        try await wait(for: "the result to be told") { !results.elements.isEmpty }
        let user = AuthUser(id: "kakao:1001")
        #expect(results.elements == [SignInResult(user: user, isNewUser: false, provider: .kakao)])
        #expect(messages.elements.isEmpty)
    }

    @Test func supersededAttemptTellsNothing() async throws {
        let results = Record<SignInResult>()
        let button = SignInButtonView(.kakao, auth: fixture.auth) {
            results.elements.append($0)
        } onError: { [messages] in
            messages.elements.append($0)
        }
        button.tap()
        await fixture.asked.value()
        _ = try await fixture.auth.signIn(with: .google).value
        try await button.waitUntilIdle()
        #expect(results.elements.isEmpty && messages.elements.isEmpty)
    }

    @Test func linkKeepsTheUserShowsItsProgressAndTellsTheUser() async throws {
        _ = try await fixture.auth.signIn(with: .google).value
        let linked = Record<AuthUser>()
        func button() -> SignInButtonView {
            SignInButtonView(.kakao, action: .link, auth: fixture.auth, locale: Locale(identifier: "en_US")) { _ in
                Issue.record("It links.")
            } onLink: {
                linked.elements.append($0)
            } onError: { [messages] in
                messages.elements.append($0)
            }
        }
        let (first, second) = (button(), button())
        let signIn = self.button(.kakao)
        #expect(first.configuration?.title == "Link Kakao" && first.control.accessibilityLabel == "Link Kakao")
        for _ in 1...20 { first.tap() }
        await fixture.asked.value()
        try await wait(for: "the other button to show the link") { second.control.accessibilityValue == "Linking" }
        #expect(first.control.accessibilityValue == "Linking" && signIn.control.accessibilityValue == nil)
        fixture.answer.resolve(.success(()))
        try await wait(for: "the link to be told") { !linked.elements.isEmpty }
        try await wait(for: "the buttons to show its end") {
            [first, second].allSatisfy { $0.control.accessibilityValue == nil }
        }
        #expect(fixture.attempts.withLock { $0 } == 1 && messages.elements.isEmpty)
        #expect(linked.elements == [try #require(fixture.auth.user)])
        #expect(linked.elements.first?.id == "google.com:1001")
    }

    /// Apple has no title for linking.
    @Test func linkOfAppleIsTitledAsContinuing() throws {
        let auth = AuthService.preview(.signedIn)
        let button = SignInButtonView(.apple, action: .link, auth: auth, locale: Locale(identifier: "en_US")) { _ in }
        #expect(try #require(button.control as? ASAuthorizationAppleIDButton).type == .continue)
        #expect(button.control.accessibilityLabel == "Continue with Apple to link your account")
    }

    /// It is made in the place where it is used.
    @Test func previewIsKeptByItsButtonAndReleasedWithIt() async throws {
        weak var service: AuthService?
        func preview() -> AuthService {
            let auth = AuthService.preview()
            service = auth
            return auth
        }
        do {
            let told = Promise<SignInResult?>()
            let button = SignInButtonView(.kakao, auth: preview()) {
                told.resolve($0)
            } onError: { _ in
                told.resolve(nil)
            }
            button.tap()
            #expect(await told.value()??.user == AuthPreview.user)
            try await button.waitUntilIdle()
        }
        try await wait(for: "the preview to be released") { service == nil }
    }

    @Test func anotherProviderReplacesTheAttempt() async throws {
        let (kakao, google) = (button(.kakao), button(.google))
        kakao.tap()
        await fixture.asked.value()
        google.tap()
        try await kakao.waitUntilIdle()
        try await google.waitUntilIdle()
        #expect(fixture.auth.user?.id == "google.com:1001")
        #expect(messages.elements.isEmpty)
    }

    @Test func buttonThatGoesAwayLeavesItsAttemptAndItsError() async {
        let told = Promise<AuthMessage>()
        var button: SignInButtonView? = SignInButtonView(.kakao, auth: fixture.auth) { told.resolve($0) }
        weak let released = button
        button?.tap()
        await fixture.asked.value()
        button = nil
        #expect(released == nil)
        fixture.answer.resolve(.failure(AuthError(.network, "Offline.")))
        #expect(await told.value()?.error.code == .network)
    }

    /// The attempt keeps the service until it has ended; the button does not.
    @Test func tapAfterTheServiceIsGoneSaysThatTheAppIsMisconfigured() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        let answer = fixture!.answer
        weak let auth = fixture?.auth
        let button = button(.kakao, fixture!.auth)
        button.tap()
        await fixture!.asked.value()
        fixture = nil
        #expect(auth != nil)
        answer.resolve(.success(()))
        try await button.waitUntilIdle()
        try await wait(for: "the service to be released") { auth == nil }
        button.tap()
        #expect(messages.elements.map(\.error.code) == [.misconfigured])
    }

    @Test func sameErrorTwiceIsToldTwiceAndACancelNever() async throws {
        for code in [AuthError.Code.network, .cancelled] {
            let auth = AuthService.preview(failing: code)
            let button = button(.naver, auth)
            for _ in 1...2 {
                button.tap()
                try await button.waitUntilIdle()
            }
            withExtendedLifetime(auth) {}
        }
        #expect(messages.elements.map(\.error.code) == [.network, .network])
    }

    @Test func attemptIsPresentedInTheWindowOfTheButton() async throws {
        let presented = Promise<PresentationContext>()
        let provider = ScriptedProvider(.kakao) { request in
            presented.resolve(request.presentation)
            throw CancellationError()
        }
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.provider(provider)], platform: .isolated())
        let (window, screen) = (UIWindow(), UIViewController())
        window.rootViewController = screen
        let button = button(.kakao, auth)
        screen.view.addSubview(button)
        button.tap()
        guard case .window(let reference) = try #require(await presented.value()) else {
            Issue.record("It should be presented in the window.")
            return
        }
        #expect(reference.window === window)
    }

    // MARK: Look

    @Test(arguments: [ProviderID.google, .kakao, .naver, "acme"], [UIUserInterfaceStyle.light, .dark])
    func colorsAndSizesAreThoseOfTheStyle(provider: ProviderID, appearance: UIUserInterfaceStyle) throws {
        let button = button(provider)
        AppleDevice.App.change(button, to: UITraitCollection(userInterfaceStyle: appearance))
        let style = SignInButtonStyle.standard(for: provider)
        let colors = style.colors(isDark: appearance == .dark)
        let shown = try #require(button.configuration)
        func color(_ color: SignInButtonStyle.Color) -> UIColor {
            UIColor(red: color.red, green: color.green, blue: color.blue, alpha: color.opacity)
        }
        #expect(shown.background.backgroundColor == color(colors.background))
        #expect(shown.baseForegroundColor == color(colors.title))
        #expect(shown.background.strokeColor == colors.border.map(color))
        #expect(shown.background.strokeWidth == (colors.border == nil ? 0 : 1))
        #expect(Double(shown.background.cornerRadius) == style.cornerRadius && shown.cornerStyle == .fixed)
        #expect(Double(shown.contentInsets.leading) == style.spacing.leading)
        #expect(Double(shown.imagePadding) == style.spacing.betweenLogoAndTitle)
        #expect(button.control.minimums == [.width: style.minimumWidth])
        #expect(button.control.maximums == [.width: style.maximumWidth])
    }

    @Test func titleAndLogoGrowWithTheTextSizeAndTheTitleWraps() throws {
        let logo = UIImage(ofSize: CGSize(width: 10, height: 20))
        let button = button(.kakao, logo: logo)
        #expect(button.font?.pointSize == 15)
        #expect(button.configuration?.image?.size == CGSize(width: 18, height: 18))
        // Half as wide as high, in the middle.
        #expect(button.configuration?.image?.drawings == [CGRect(x: 4.5, y: 0, width: 9, height: 18)])
        #expect(button.configuration?.image?.renderingMode == .alwaysOriginal)
        let largest = UITraitCollection(preferredContentSizeCategory: .accessibilityExtraExtraExtraLarge)
        AppleDevice.App.change(button, to: largest)
        #expect(button.font.map { abs($0.pointSize - 15 * 53 / 17) < 0.01 } == true)
        #expect(button.configuration?.image.map { $0.size.height > 50 } == true)
        #expect(button.configuration?.titleLineBreakMode == .byWordWrapping)
    }

    @Test func buttonOfAPasskeyHasTheSystemsSymbolInTheColorOfItsTitle() throws {
        let button = button(.passkey, logo: UIImage(ofSize: CGSize(width: 10, height: 20)))
        #expect(button.configuration?.title == "Sign in with a passkey")
        #expect(button.configuration?.image?.symbolName == "person.badge.key")
        #expect(button.configuration?.image?.tintColor == button.configuration?.baseForegroundColor)
        AppleDevice.App.change(button, to: UITraitCollection(userInterfaceStyle: .dark))
        #expect(button.configuration?.image?.tintColor == UIColor(red: 1, green: 1, blue: 1, alpha: 1))
    }

    /// Apple's button draws its title in proportion to its height.
    @Test(arguments: [ProviderID.apple, .kakao]) func heightIsAMinimumThatGrowsWithTheTextSize(provider: ProviderID) {
        let button = button(provider)
        #expect(button.face?.minimums == [.height: 44] && button.badgeSpacing == 4.4)
        let largest = UITraitCollection(preferredContentSizeCategory: .accessibilityExtraExtraExtraLarge)
        AppleDevice.App.change(button, to: largest)
        let height = Double(44 * 53) / 17
        #expect(button.face?.minimums[.height].map { abs($0 - height) < 0.01 } == true)
        #expect(button.badgeSpacing.map { abs($0 - height / 10) < 0.01 } == true)
        #expect([button, button.face, button.control].map { $0?.hasFixedHeight } == [false, false, false])
    }

    /// A control that is replaced loses the focus of VoiceOver and of a keyboard.
    @Test func changeOfTheAppearanceReplacesOnlyApplesControl() {
        for provider in [ProviderID.apple, .google] {
            let button = button(provider)
            let control = button.control
            AppleDevice.App.change(button, to: UITraitCollection(userInterfaceStyle: .dark))
            #expect((button.control === control) == (provider != .apple))
        }
    }

    @Test(arguments: [ProviderID.apple, .kakao]) func disabledButtonStaysDisabledWhenTheAppearanceChanges(
        provider: ProviderID
    ) {
        let button = button(provider)
        button.isEnabled = false
        AppleDevice.App.change(button, to: UITraitCollection(userInterfaceStyle: .dark))
        #expect(!button.control.isEnabled && button.control.alpha < 1)
        button.isEnabled = true
        #expect(button.control.isEnabled && button.control.alpha == 1)
    }

    @Test func fontOfTheBrandIsUsedIfTheAppHasIt() {
        #expect(button(.google).font?.fontName == "system")
        UIFont.installed = ["GoogleSans-Medium"]
        defer { UIFont.installed = [] }
        #expect(button(.google).font?.fontName == "GoogleSans-Medium")
    }

    @Test func voiceOverReadsTitleAndBadgeInTheLanguageOfTheButton() {
        let buttons = [button(.kakao), button(.kakao, locale: "ko_KR")]
        for button in buttons { button.isLastUsed = true }
        #expect(buttons.map(\.control.accessibilityLabel) == ["Login with Kakao", "카카오 로그인"])
        #expect(buttons.map(\.control.accessibilityValue) == ["Last used", "최근 사용"])
        #expect(buttons.map(\.configuration?.title) == ["Login with Kakao", "카카오 로그인"])
        #expect(buttons.map(\.badge?.text) == ["Last used", "최근 사용"])
        #expect(buttons.allSatisfy { $0.configuration?.subtitle == nil })
    }

    @Test func errorIsInTheLanguageOfItsButton() async throws {
        let auth = AuthService.preview(failing: .network)
        for locale in ["ko_KR", "en_US"] {
            let button = button(.kakao, auth, locale: locale)
            button.tap()
            try await button.waitUntilIdle()
        }
        var error = AuthError(.network, "Offline.", provider: .kakao)
        error.operation = .signIn
        #expect(messages.elements.map(\.text) == [AuthErrorTexts.korean, .english].compactMap { $0.text(for: error) })
    }

    @Test func buttonOfAppleIsApplesOwnAndFollowsTheAppearance() async throws {
        let auth = AuthService.preview()
        let button = button(.apple, auth)
        button.isLastUsed = true
        var shown = try #require(button.control as? ASAuthorizationAppleIDButton)
        #expect((shown.type, shown.style) == (.signIn, .black))
        #expect(Double(shown.cornerRadius) == SignInButtonStyle.apple.cornerRadius)
        AppleDevice.App.change(button, to: UITraitCollection(userInterfaceStyle: .dark))
        shown = try #require(button.control as? ASAuthorizationAppleIDButton)
        #expect(shown.style == .white)
        #expect(shown.accessibilityLabel == "Sign in with Apple" && shown.accessibilityValue == "Last used")
        let badge = try #require(button.badge)
        #expect(badge.text == "Last used" && badge.numberOfLines == 0 && badge.adjustsFontForContentSizeCategory)
        #expect(!badge.isHidden && !badge.isAccessibilityElement)
        // The provider makes the authorization, with the nonce of the attempt.
        shown.sendActions(for: .touchUpInside)
        try await button.waitUntilIdle()
        #expect(auth.user == AuthPreview.user)
    }
}
