import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI
import UIKit

// What the article 'Show sign-in buttons' shows is between the marks.

private enum Buttons {
    // Buttons: swiftui
    struct LoginView: View {
        @Binding var showsOnboarding: Bool
        @State private var toast: String?

        var body: some View {
            SignInPicker { provider in
                Image("logo-\(provider)").resizable()
            }
            .onSignIn { result in showsOnboarding = result.isNewUser }
            .onAuthError { message in toast = message.text }
        }
    }
    // Buttons end

    // Buttons: link
    struct IdentitiesView: View {
        let user: AuthUser
        @Environment(\.auth) private var auth
        @State private var toast: String?

        private var others: [ProviderID] {
            auth.providers.filter { id in !user.providers.contains { $0.id == id } }
        }

        var body: some View {
            VStack(spacing: 12) {
                ForEach(others, id: \.self) { provider in
                    SignInButton(provider, action: .link) { Image("logo-\(provider)").resizable() }
                }
            }
            .onLink { user in toast = "You can log in with \(user.providers.count) providers." }
            .onAuthError { message in toast = message.text }
        }
    }
    // Buttons end

    struct SingleButtons: View {
        var body: some View {
            // Buttons: single
            VStack(spacing: 12) {
                SignInButton(.apple, wording: .continue)
                SignInButton(.google, wording: .continue) { Image("logo-google.com").resizable() }
            }
            // Buttons end
        }
    }

    @MainActor
    final class SceneDelegate: NSObject {
        func signedIn(_ result: SignInResult) {}
    }

    @MainActor
    final class LoginViewController: UIViewController {
        func showToast(_ text: String) {}

        func addButtons(_ auth: AuthService, _ sceneDelegate: SceneDelegate) {
            // Buttons: uikit
            let picker = SignInPickerView(auth: auth) { provider in
                UIImage(named: "logo-\(provider)")
            } onSignIn: { [weak sceneDelegate] result in
                sceneDelegate?.signedIn(result)
            } onError: { [weak self] message in
                self?.showToast(message.text)
            }
            view.addSubview(picker)
            // Buttons end
        }

        func addLinkButton(_ auth: AuthService) {
            // Buttons: link in UIKit
            let button = SignInButtonView(
                .naver, action: .link, auth: auth, logo: UIImage(named: "logo-naver"),
                onLink: { [weak self] _ in self?.showToast("NAVER is linked.") },
                onError: { [weak self] message in self?.showToast(message.text) })
            // Buttons end
            view.addSubview(button)
        }
    }

    @MainActor
    static func ownProvider(_ locale: Locale) -> SignInPicker<Image> {
        // Buttons: own
        var style = SignInButtonStyle.neutral
        style.light = SignInButtonStyle.Colors(background: SignInButtonStyle.Color(0x0B5FFF), title: .white)
        style.dark = style.light
        var texts = SignInButtonTexts.standard(for: locale)
        texts.providerNames["acme"] = "ACME"
        return SignInPicker(texts: texts, styles: ["acme": style]) { provider in
            Image("logo-\(provider)").resizable()
        }
        // Buttons end
    }

    static func whiteNaver() -> SignInButtonStyle {
        // Buttons: white
        var naver = SignInButtonStyle.naver
        naver.dark = SignInButtonStyle.Colors(background: .white, title: .black)
        // Buttons end
        return naver
    }
}
