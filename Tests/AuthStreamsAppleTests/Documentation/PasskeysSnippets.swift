import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation
import SwiftUI
import UIKit

// What the article 'Passkeys' shows is between the marks.

private func makeService(_ api: URL) -> AuthService {
    // Passkeys: service
    let auth = AuthService(
        .server(api, contract: ServerContract(offering: [.passwords, .passkeys])), providers: [.passkey, .password],
        platform: .app)
    // Passkeys end
    return auth
}

private func makeServiceOfOneDomain(_ server: AuthRepositoryFactory) -> AuthService {
    // Passkeys: domain
    let auth = AuthService(server, providers: [.passkey(relyingPartyID: "example.com")], platform: .app)
    // Passkeys end
    return auth
}

private func signIn(_ auth: AuthService) async throws {
    // Passkeys: sign in
    let user = try await auth.signIn(with: .passkey).value.user
    // Passkeys end
    _ = user
}

private enum PasskeyScreens {
    struct RootView: View {
        @Environment(\.auth) private var auth
        var body: some View {
            // Passkeys: launch
            AuthGate { user in
                HomeView(user: user)
            } signedOut: {
                LoginView().task {
                    guard auth.state == .signedOut(nil) else { return }
                    _ = await auth.signIn(with: .passkey, using: .immediate).result
                }
            }
            // Passkeys end
        }
    }

    struct HomeView: View {
        let user: AuthUser
        var body: some View { Text(user.id) }
    }

    // Passkeys: autofill
    struct LoginView: View {
        @State private var address = ""

        var body: some View {
            VStack {
                TextField("E-mail address", text: $address)
                    .textContentType(.username)
                    .passkeyAutoFill()
                SignInPicker()
            }
        }
    }
    // Passkeys end
}

@MainActor
private final class LoginViewController: UIViewController {
    let auth: AuthService
    var suggestions: Task<Void, Never>?

    init(_ auth: AuthService) {
        self.auth = auth
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    // Passkeys: uikit
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        suggestions = Task { [auth] in await auth.suggestPasskeys() }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        suggestions?.cancel()
    }
    // Passkeys end
}

private func upgrade(_ auth: AuthService, _ email: String, _ password: String) async throws {
    // Passkeys: upgrade
    let user = try await auth.signIn(credential: .password(email: email, password)).value.user
    await auth.offerPasskey()
    // Passkeys end
    _ = user
}

private func manage(_ auth: AuthService) async throws {
    // Passkeys: manage
    let user = try await auth.link(with: .passkey).value  // shows the system's sheet
    for passkey in try await auth.passkeys() {
        print(passkey.name ?? passkey.id, passkey.createdAt ?? "")
        _ = try await auth.removePasskey(passkey.id).value
    }
    // Passkeys end
    _ = user
}

private func reauthenticate(_ auth: AuthService) async throws {
    // Passkeys: reauthenticate
    _ = try await auth.reauthenticate(with: .passkey).value
    // Passkeys end
}
