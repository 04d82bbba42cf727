#if AUTH_SWIFTUI && AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import Foundation
    import SwiftUI

    /// Apple's own button as a picture: its authorization is made by the provider, with the nonce and the state of the attempt, so the
    /// taps go to the button around it. Its title is in the language of the app, which the system chooses.
    struct AppleButtonLabel: View {
        @Environment(\.colorScheme) private var colorScheme
        let model: SignInButtonModel
        let style: SignInButtonStyle
        let textScale: Double

        private var label: SignInWithAppleButton.Label {
            switch model.wording {
            case .signIn, .short: .signIn
            case .signUp: .signUp
            case .continue, .link: .continue
            }
        }

        private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: style.cornerRadius) }

        /// A label of the same title as any other provider's. It has the size of this one, because Apple's button takes the size
        /// that it is offered, and follows no text size.
        private var base: some View {
            var idle = model
            idle.isInProgress = false
            return SignInButtonLabel(model: idle, style: style, textScale: textScale, logo: shape).hidden()
        }

        var body: some View {
            base
                .overlay {
                    SignInWithAppleButton(label, onRequest: { _ in }, onCompletion: { _ in })
                        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
                        .clipShape(shape)
                        .allowsHitTesting(false)
                        .accessibilityHidden(true)
                        // Apple's button takes its style when it is made.
                        .id(colorScheme)
                }
                .opacity(model.isInProgress ? 0.6 : 1)
                .overlay { if model.isInProgress { ProgressView() } }
                .contentShape(shape)
        }
    }
#endif
