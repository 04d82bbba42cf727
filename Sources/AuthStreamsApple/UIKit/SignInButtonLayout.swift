#if AUTH_UIKIT
    import Foundation
    import UIKit

    /// The views of a button: its face, where the control is, above its badge.
    @MainActor
    struct SignInButtonLayout {
        /// Where the control is, as wide as the button.
        let face = UIView()
        private let badge = UILabel()
        private let stack = UIStackView()
        private let minimumHeight: NSLayoutConstraint

        init() {
            minimumHeight = face.heightAnchor.constraint(greaterThanOrEqualToConstant: 0)
            badge.font = .preferredFont(forTextStyle: .caption1)
            badge.adjustsFontForContentSizeCategory = true
            badge.numberOfLines = 0
            badge.textAlignment = .center
            // It is the value of the control.
            badge.isAccessibilityElement = false
            stack.axis = .vertical
            stack.addArrangedSubview(face)
            stack.addArrangedSubview(badge)
        }

        /// Fills the button with the views.
        func fill(_ button: UIView) {
            button.addFilling(stack)
            NSLayoutConstraint.activate([minimumHeight])
        }

        /// Puts a control into the face, in place of the one before.
        func place(_ control: UIControl, _ style: SignInButtonStyle) {
            for former in face.subviews { former.removeFromSuperview() }
            control.translatesAutoresizingMaskIntoConstraints = false
            face.addSubview(control)
            // As wide as the face, where that is not wider than the button may be.
            let width = control.widthAnchor.constraint(equalTo: face.widthAnchor)
            width.priority = .defaultHigh
            NSLayoutConstraint.activate([
                control.topAnchor.constraint(equalTo: face.topAnchor),
                control.bottomAnchor.constraint(equalTo: face.bottomAnchor),
                control.centerXAnchor.constraint(equalTo: face.centerXAnchor),
                control.widthAnchor.constraint(lessThanOrEqualTo: face.widthAnchor),
                control.widthAnchor.constraint(greaterThanOrEqualToConstant: style.minimumWidth),
                control.widthAnchor.constraint(lessThanOrEqualToConstant: style.maximumWidth),
                width,
            ])
        }

        /// Shows the badge, `nil` for none, and gives the views the sizes of the style.
        func show(badge text: String?, _ style: SignInButtonStyle, in traits: UITraitCollection) {
            minimumHeight.constant = style.minimumHeight(textScale: traits.textScale)
            stack.spacing = style.clearSpace(textScale: traits.textScale)
            badge.text = text
            badge.isHidden = text == nil
        }
    }
#endif
