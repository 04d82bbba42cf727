import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing
import UIKit

/// The buttons of all providers, in UIKit.
@Suite @MainActor struct SignInPickerViewTests {
    @Test func allProvidersAreThereInTheOrderOfTheServiceWithTheirLogos() {
        let auth = AuthService.preview(providers: [.apple, .naver, "acme"])
        let asked = Record<ProviderID>()
        let picker = SignInPickerView(auth: auth) { provider in
            asked.elements.append(provider)
            return UIImage(ofSize: CGSize(width: 1, height: 1))
        } onError: { _ in
        }
        #expect(picker.buttons.map(\.provider) == [.apple, .naver, "acme"])
        #expect(picker.buttons.map { $0.configuration?.image != nil } == [false, true, true])
        // Apple's button has its own.
        #expect(asked.elements == [.naver, "acme"])
    }

    @Test func requestOfTheAppReachesTheProvider() async {
        let asked = Promise<[String]>()
        let provider = ScriptedProvider(.google) { request in
            asked.resolve(request.extraScopes)
            return Credential(provider: .google, userID: "1001")
        }
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.provider(provider)], platform: .isolated())
        let picker = SignInPickerView(auth: auth, requests: [.google: AuthRequest(extraScopes: ["calendar"])]) { _ in }
        picker.buttons[0].tap()
        #expect(await asked.value() == ["calendar"])
    }

    @Test func buttonsAreEquallyHighAndTheirSpaceGrowsWithTheTextSize() throws {
        let auth = AuthService.preview(providers: [.apple, .naver, "acme"])
        var style = SignInButtonStyle.neutral
        style.cornerRadius = 3
        let picker = SignInPickerView(auth: auth, styles: ["acme": style]) { _ in }
        #expect(picker.buttons[2].configuration?.background.cornerRadius == 3)
        let faces = picker.buttons.compactMap(\.face)
        #expect(faces.count == 3 && faces.dropFirst().allSatisfy { $0.heightIsThatOf === faces[0] })
        let stack = try #require(picker.subviews.first as? UIStackView)
        #expect(stack.spacing == 12)
        let largest = UITraitCollection(preferredContentSizeCategory: .accessibilityExtraExtraExtraLarge)
        AppleDevice.App.change(picker, to: largest)
        #expect(abs(stack.spacing - 12 * 53 / 17) < 0.01)
    }

    @Test func badgeIsOnTheProviderThatWasUsedLastAndMoves() async throws {
        let auth = AuthService.preview(providers: [.kakao, .naver], lastSignIn: SignInMethod(.naver))
        let picker = SignInPickerView(auth: auth) { _ in }
        #expect(picker.buttons.map(\.isLastUsed) == [false, true])
        picker.buttons[0].tap()
        try await wait(for: "the badge to move to the first button") {
            picker.buttons.map(\.isLastUsed) == [true, false]
        }
    }

    @Test func resultsAndErrorsOfAllButtonsAreTold() async throws {
        let (signedIn, failed) = (Record<ProviderID>(), Record<ProviderID?>())
        func picker(_ auth: AuthService) -> SignInPickerView {
            SignInPickerView(auth: auth) { _ in
                nil
            } onSignIn: {
                signedIn.elements.append($0.provider)
            } onError: {
                failed.elements.append($0.error.provider)
            }
        }
        // The views keep a preview.
        let (succeeding, failing) = (picker(.preview()), picker(.preview(failing: .network)))
        for index in [0, 2] {
            succeeding.buttons[index].tap()
            try await wait(for: "the result to be told") {
                signedIn.elements.last == succeeding.buttons[index].provider
            }
            failing.buttons[index].tap()
            try await failing.buttons[index].waitUntilIdle()
        }
        #expect(signedIn.elements == [.apple, .kakao] && failed.elements == [.apple, .kakao])
    }

    @Test func tapAfterTheServiceIsGoneSaysThatTheAppIsMisconfigured() async throws {
        let told = Record<AuthError.Code>()
        var fixture: ViewModelFixture? = ViewModelFixture()
        weak let auth = fixture?.auth
        let picker = SignInPickerView(auth: fixture!.auth) { told.elements.append($0.error.code) }
        fixture = nil
        try await wait(for: "the service to be released") { auth == nil }
        for button in picker.buttons { button.tap() }
        #expect(told.elements == [.misconfigured, .misconfigured])
    }

    @Test func pickerKeepsNothingAliveAndNothingKeepsIt() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        weak let releasedAuth = fixture?.auth
        _ = try await fixture?.auth.signIn(with: .google).value
        var picker: SignInPickerView? = SignInPickerView(auth: fixture!.auth) { _ in }
        let second = SignInPickerView(auth: fixture!.auth) { _ in }
        weak let releasedPicker = picker
        try await wait(for: "the badge to be shown") { second.buttons.contains(where: \.isLastUsed) }
        picker = nil
        #expect(releasedPicker == nil)
        fixture = nil
        try await wait(for: "the service to be released") { releasedAuth == nil }
        withExtendedLifetime(second) {}
    }
}
