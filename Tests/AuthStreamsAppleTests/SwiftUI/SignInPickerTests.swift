import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// The buttons of all providers.
@Suite @MainActor struct SignInPickerTests {
    @Test func allProvidersAreThereInTheOrderOfTheService() {
        let auth = AuthService.preview(providers: [.naver, .kakao, .google, "acme"])
        let host = ViewHost(SignInPicker(), auth: auth)
        #expect(
            host.root.texts == ["Log in with NAVER", "Login with Kakao", "Sign in with Google", "Sign in with acme"])
    }

    @Test func badgeIsOnTheProviderThatWasUsedLastAndMoves() async throws {
        let auth = AuthService.preview(lastSignIn: SignInMethod(.naver))
        let host = ViewHost(SignInPicker(), auth: auth)
        await host.wait { $0.accessibilityValues == ["", "", "", "Last used"] }
        #expect(host.root.texts.suffix(2) == ["Log in with NAVER", "Last used"])
        host.tap("Login with Kakao")
        await host.wait { $0.accessibilityValues == ["", "", "Last used", ""] }
    }

    /// An extension of the app, or the app in a second window on a Mac.
    @Test func badgeFollowsASignInOfAnotherProcess() async throws {
        let store = MemorySessionStore()
        let services = (1...2).map { _ in
            AuthService(
                repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao), ScriptedProvider(.google)],
                store: store, callbacks: CallbackRouter())
        }
        let host = ViewHost(SignInPicker(), auth: services[0])
        _ = try await services[1].signIn(with: .google).value
        await host.wait { $0.accessibilityValues.contains("Last used") }
        #expect(host.root.accessibilityValues == ["", "Last used"])
    }

    @Test func requestOfTheAppReachesTheProvider() async {
        let asked = Promise<[String]>()
        let provider = ScriptedProvider(.google) { request in
            asked.resolve(request.extraScopes)
            return Credential(provider: .google, userID: "1001")
        }
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.provider(provider)], platform: .isolated())
        let host = ViewHost(SignInPicker(requests: [.google: AuthRequest(extraScopes: ["calendar"])]), auth: auth)
        host.tap("Sign in with Google")
        #expect(await asked.value() == ["calendar"])
    }

    @Test func appHandsInTheLogos() async {
        let picker = SignInPicker { provider in Text(verbatim: "logo of \(provider)") }
        let host = ViewHost(picker, auth: .preview(providers: [.apple, .kakao]))
        // Apple's button has its own.
        #expect(host.root.texts == ["logo of kakao", "Login with Kakao"])
    }

    @Test func languageAndWordingAreThoseOfTheView() {
        let auth = AuthService.preview(providers: [.kakao, .google])
        let host = ViewHost(
            VStack {
                SignInPicker(wording: .continue).environment(\.locale, Locale(identifier: "ko"))
                SignInPicker(wording: .continue)
            }, auth: auth)
        #expect(host.root.texts == ["카카오 로그인", "Google 계정으로 계속하기", "Login with Kakao", "Continue with Google"])
    }

    @Test(arguments: [0.8, 1, 3]) func spaceBetweenButtonsGrowsWithTheTextSize(textScale: Double) {
        let host = ViewHost(SignInPicker(), auth: .preview()) { $0.textScale = textScale }
        #expect(host.root.values("VStack", as: CGFloat.self).first == CGFloat(12 * max(textScale, 1)))
    }

    @Test func appChoosesTheLookOfAProvider() {
        var style = SignInButtonStyle.neutral
        (style.minimumHeight, style.clearSpace) = (60, 0.25)
        let host = ViewHost(
            SignInPicker(styles: ["acme": style]), auth: .preview(providers: [.kakao, "acme"]))
        #expect(host.root.values("frame", as: Frame.self).compactMap(\.minHeight) == [44, 60])
        #expect(host.root.values("VStack", as: CGFloat.self).first == 30)
    }

    @Test func resultsOfAllButtonsAreTold() async throws {
        let told = Record<ProviderID>()
        let picker = SignInPicker().onSignIn { told.elements.append($0.provider) }
        let host = ViewHost(picker, auth: .preview())
        for (count, label) in ["Sign in with Apple", "Log in with NAVER"].enumerated() {
            host.tap(label)
            try await wait(for: "the result to be told") { told.elements.count == count + 1 }
            await host.waitUntilIdle()
        }
        #expect(told.elements == [.apple, .naver])
    }

    @Test func errorsOfAllButtonsAreTold() async {
        let told = Record<ProviderID?>()
        let picker = SignInPicker().onAuthError { told.elements.append($0.error.provider) }
        let host = ViewHost(picker, auth: .preview(failing: .network))
        for label in ["Sign in with Apple", "Log in with NAVER"] {
            host.tap(label)
            await host.waitUntilIdle()
        }
        #expect(told.elements == [.apple, .naver])
    }

    @Test func badgeIsThereFromTheFirstDrawingAndThatOfTheServiceOfNow() {
        let host = ViewHost(SignInPicker(), auth: .preview(lastSignIn: SignInMethod(.naver)))
        #expect(host.root.accessibilityValues == ["", "", "", "Last used"])
        host.change { $0.auth = .preview(lastSignIn: SignInMethod(.google)) }
        #expect(host.root.accessibilityValues == ["", "Last used", "", ""])
    }

    @Test func logoIsAskedForAllButApples() {
        let asked = Record<ProviderID>()
        let picker = SignInPicker { provider in
            let _ = asked.elements.append(provider)
            Text(verbatim: "logo")
        }
        _ = ViewHost(picker, auth: .preview())
        #expect(Set(asked.elements) == [.google, .kakao, .naver])
    }

    @Test func buttonOfAPasskeyIsAmongTheOthers() {
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao), ScriptedProvider(.passkey)],
            store: MemorySessionStore(), callbacks: CallbackRouter())
        let host = ViewHost(SignInPicker { _ in Text(verbatim: "logo") }, auth: auth)
        #expect(host.root.texts == ["logo", "Login with Kakao", "Sign in with a passkey"])
    }
}
