#if AUTH_UIKIT && AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import Foundation
    import UIKit

    extension ASAuthorizationAppleIDButton {
        /// Apple's own button, whose wording and appearance stay as they are when it is made.
        static func signIn(
            _ wording: SignInButtonWording, _ style: SignInButtonStyle, in traits: UITraitCollection, action: UIAction
        ) -> ASAuthorizationAppleIDButton {
            let button = ASAuthorizationAppleIDButton(
                authorizationButtonType: wording.appleButtonType,
                authorizationButtonStyle: traits.userInterfaceStyle == .dark ? .white : .black)
            #if os(tvOS)
                button.addAction(action, for: .primaryActionTriggered)
            #else
                button.cornerRadius = style.cornerRadius
                button.addAction(action, for: .touchUpInside)
            #endif
            return button
        }
    }

    extension SignInButtonWording {
        fileprivate var appleButtonType: ASAuthorizationAppleIDButton.ButtonType {
            switch self {
            case .signIn, .short: .signIn
            case .signUp: .signUp
            case .continue, .link: .continue
            }
        }
    }
#endif
