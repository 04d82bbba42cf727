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

        private var label: SignInWithAppleButton.Label {
            switch model.wording {
            case .signIn, .short: .signIn
            case .signUp: .signUp
            case .continue: .continue
            }
        }

        var body: some View {
            VStack(spacing: 2) {
                SignInWithAppleButton(label, onRequest: { _ in }, onCompletion: { _ in })
                    .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
                    .frame(minWidth: style.minimumWidth, maxWidth: .infinity, minHeight: style.minimumHeight)
                    .clipShape(RoundedRectangle(cornerRadius: style.cornerRadius))
                    .allowsHitTesting(false)
                    .accessibilityHidden(true)
                if let badge = model.badge { Text(verbatim: badge).font(.caption) }
            }
            .opacity(model.isInProgress ? 0.6 : 1)
            .overlay { if model.isInProgress { ProgressView() } }
            .contentShape(RoundedRectangle(cornerRadius: style.cornerRadius))
        }
    }
#endif
