import AuthStreams
import AuthStreamsApple
import Foundation
import TestSupport
import Testing
import UIKit

extension UIView {
    /// The view and all in it, from the outside to the inside.
    private var all: [UIView] { [self] + subviews.flatMap(\.all) }

    /// The sign-in buttons in it, in reading order.
    var buttons: [SignInButtonView] { all.compactMap { $0 as? SignInButtonView } }

    var controls: [UIControl] { all.compactMap { $0 as? UIControl } }
}

extension SignInButtonView {
    /// The only control of the button.
    var control: UIControl {
        precondition(controls.count == 1, "The button has \(controls.count) controls.")
        return controls[0]
    }

    var configuration: UIButton.Configuration? { (control as? UIButton)?.configuration }

    /// The font of the title.
    var font: UIFont? { configuration?.titleTextAttributesTransformer?(AttributeContainer()).font }

    /// Where the control is.
    var face: UIView? { subviews.first?.subviews.first }

    /// The badge below it.
    var badge: UILabel? { subviews.first?.subviews.compactMap { $0 as? UILabel }.first }

    /// The space between the two.
    var badgeSpacing: Double? { (subviews.first as? UIStackView).map { Double($0.spacing) } }

    func tap() { control.sendActions(for: provider == .apple ? .touchUpInside : .primaryActionTriggered) }

    /// Waits until no attempt of the button is in progress.
    func waitUntilIdle() async throws {
        try await wait(for: "the attempt of the button to end") {
            !["Signing in", "로그인 중"].contains(control.accessibilityValue)
        }
    }
}
