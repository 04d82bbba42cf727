import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import AuthenticationServices
import UIKit

/// What the article 'Sign in with Apple' shows, compiled.
@MainActor
struct SignInWithAppleSnippets {
    let server: AuthRepositoryFactory
    let window: UIWindow
    let show: @MainActor (String) -> Void

    func service() -> AuthService {
        // SignInWithApple: service
        let auth = AuthService(server, providers: [.apple, .kakao(nativeAppKey: "0123abcd")], platform: .app)
        // SignInWithApple end
        return auth
    }

    func signIn(with auth: AuthService) async {
        // SignInWithApple: sign in
        do throws(AuthError) {
            let user = try await auth.signIn(with: .apple, AuthRequest(presentation: .in(window))).value.user
            show(user.displayName ?? "Hello")
        } catch {
            error.errorDescription.map(show)  // nil for the person's own cancel
        }
        // SignInWithApple end
    }

    func name(from auth: AuthService) async throws {
        // SignInWithApple: name
        let signIn = try await auth.signIn(with: .apple, AuthRequest(presentation: .in(window))).value
        if let name = signIn.name { show("Welcome, \(name.displayName)") }  // 김민지, Alex Morgan
        // SignInWithApple end
    }

    func follow(_ auth: AuthService) async {
        // SignInWithApple: revoked
        for await state in auth.states {
            if case .signedOut(.revokedAtProvider) = state {
                show("You stopped using Sign in with Apple for this app.")
            }
        }
        // SignInWithApple end
    }

    func delete(with auth: AuthService) async {
        // SignInWithApple: delete
        do throws(AuthError) {
            try await auth.deleteAccount(AuthRequest(presentation: .in(window))).value
        } catch {
            error.errorDescription.map(show)
        }
        // SignInWithApple end
    }
}
