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

    @Test func errorsOfAllButtonsAreTold() async throws {
        let told = Record<ProviderID?>()
        let picker = SignInPickerView(auth: .preview(failing: .network)) { told.elements.append($0.error.provider) }
        #expect(told.elements.isEmpty)
        // Its service was released.
        for button in picker.buttons.prefix(2) { button.tap() }
        #expect(told.elements.count == 2)
        let auth = AuthService.preview(failing: .network)
        let living = SignInPickerView(auth: auth) { told.elements.append($0.error.provider) }
        living.buttons[2].tap()
        try await living.buttons[2].waitUntilIdle()
        #expect(told.elements.last == .kakao)
    }

    @Test func pickerKeepsNothingAliveAndNothingKeepsIt() async throws {
        var auth: AuthService? = .preview(lastSignIn: SignInMethod(.naver))
        var picker: SignInPickerView? = SignInPickerView(auth: auth!) { _ in }
        let second = SignInPickerView(auth: auth!) { _ in }
        weak let (releasedAuth, releasedPicker) = (auth, picker)
        try await wait(for: "the badge to be shown") { second.buttons.contains(where: \.isLastUsed) }
        picker = nil
        #expect(releasedPicker == nil)
        auth = nil
        #expect(releasedAuth == nil)
        withExtendedLifetime(second) {}
    }
}
