import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI
import UIKit

// What the article 'Follow the state in SwiftUI and UIKit' shows is between the marks.

@MainActor
private func makeModel(_ auth: AuthService) -> AuthViewModel {
    // FollowTheState: model
    let model = AuthViewModel(auth)
    // FollowTheState end
    return model
}

private enum FollowTheState {
    /// The app's own toasts.
    @MainActor
    final class Toasts {
        func show(_ text: String?) {}
    }

    struct LaunchView: View {
        var body: some View { EmptyView() }
    }

    struct HomeView: View {
        let model: AuthViewModel
        let userID: AuthUser.ID

        var body: some View { Text(verbatim: model.user?.displayName ?? userID) }
    }

    struct ProfileView: View {
        let user: AuthUser

        var body: some View { Text(verbatim: user.displayName ?? user.id) }
    }

    struct GateView: View {
        let auth: AuthService
        let toasts: Toasts

        var body: some View {
            // FollowTheState: gate
            AuthGate { user in
                ProfileView(user: user)
            } signedOut: {
                SignInPicker()
            } restoring: {
                LaunchView()
            }
            .onAuthError { message in toasts.show(message.text) }
            .authService(auth)
            // FollowTheState end
        }
    }

    // FollowTheState: links
    struct FeedView: View {
        @State private var page: URL?

        var body: some View {
            Text(verbatim: page?.lastPathComponent ?? "Feed")
                .onOpenLink { link in page = link }
        }
    }
    // FollowTheState end

    // FollowTheState: pending link
    struct LinkNotice: View {
        @Environment(\.pendingLink) private var pendingLink

        var body: some View {
            if pendingLink != nil { Text("Log in to open the link.") }
        }
    }
    // FollowTheState end

    struct OnboardingView: View {
        let onEnd: () -> Void

        var body: some View { Button("Done") { onEnd() } }
    }

    // FollowTheState: onboarding
    struct AppView: View {
        let auth: AuthService
        @State private var newUser: AuthUser.ID?

        var body: some View {
            AuthGate { user in
                if user.id == newUser { OnboardingView { newUser = nil } } else { ProfileView(user: user) }
            } signedOut: {
                SignInPicker()
            }
            .onSignIn { result in newUser = result.isNewUser ? result.user.id : nil }
            .authService(auth)
        }
    }
    // FollowTheState end

    struct ReasonView: View {
        @Environment(\.auth) private var auth
        @State private var isExpired = false

        var body: some View {
            Text(verbatim: isExpired ? "Please log in again." : "")
                // FollowTheState: reason
                .task {
                    for await state in auth.states { isExpired = state == .signedOut(.expired) }
                }
            // FollowTheState end
        }
    }

    // FollowTheState: root
    struct RootView: View {
        let model: AuthViewModel
        let toasts: Toasts

        var body: some View {
            VStack { screen }.onAuthError(of: model) { message in toasts.show(message.text) }
        }

        @ViewBuilder private var screen: some View {
            switch RootScreen(model.state) {
            case .launch: LaunchView()
            case .login: LoginView(model: model)
            case .home(let id): HomeView(model: model, userID: id).id(id)
            }
        }
    }
    // FollowTheState end

    // FollowTheState: login
    struct LoginView: View {
        let model: AuthViewModel

        var body: some View {
            Button {
                model.signIn(with: .kakao)
            } label: {
                Text(verbatim: model.progress?.provider == .kakao ? "One moment …" : "Log in with Kakao")
            }
        }
    }
    // FollowTheState end

    @MainActor
    final class HomeViewController: UIViewController {
        func open(_ link: URL) {}
        func showOnboarding() {}
    }

    @MainActor
    final class SceneDelegate: NSObject, UIWindowSceneDelegate {
        let auth: AuthService
        let model: AuthViewModel

        init(_ auth: AuthService) {
            self.auth = auth
            model = AuthViewModel(auth)
            super.init()
        }

        // FollowTheState: scene
        var window: UIWindow?
        private var coordinator: RootCoordinator?
        private var newUser: AuthUser.ID?

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            guard let scene = scene as? UIWindowScene else { return }
            let window = UIWindow(windowScene: scene)
            window.rootViewController = UIViewController()  // the launch screen
            window.makeKeyAndVisible()
            self.window = window
            coordinator = RootCoordinator(auth.states) { [weak self] screen in
                await self?.window?.show(screen)
                self?.welcome()
            } openLink: { [weak window] link in
                window?.home?.open(link)
            }
            model.onSignIn(for: self) { delegate, result in
                delegate.newUser = result.isNewUser ? result.user.id : nil
                delegate.welcome()
            }
            let own = auth.handle(connectionOptions)
            for context in own.urlContexts { coordinator?.open(context.url) }
            for link in own.userActivities.compactMap(\.webpageURL) { coordinator?.open(link) }
        }

        /// Called when the home screen is shown, and when the result is there: either may be first.
        private func welcome() {
            guard let id = newUser, let home = window?.home, coordinator?.screen == .home(id) else { return }
            newUser = nil
            home.showOnboarding()
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in auth.handle(contexts) { coordinator?.open(context.url) }
        }

        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            guard !auth.handle(userActivity), let link = userActivity.webpageURL else { return }
            coordinator?.open(link)
        }
        // FollowTheState end
    }

    // FollowTheState: controller
    final class LoginViewController: UIViewController {
        var model: AuthViewModel?

        override func viewDidLoad() {
            super.viewDidLoad()
            model?.observe(for: self) { screen, model in screen.render(model) }
            model?.onError(for: self) { screen, error in screen.toast(error.errorDescription) }
        }

        func kakaoTapped(in window: UIWindow) {
            model?.signIn(with: .kakao, AuthRequest(presentation: .in(window)))
        }
    }
    // FollowTheState end
}

/// The app's own screens.
extension UIWindow {
    fileprivate func show(_ screen: RootScreen) async {}
    fileprivate var home: FollowTheState.HomeViewController? {
        rootViewController as? FollowTheState.HomeViewController
    }
}

extension FollowTheState.LoginViewController {
    fileprivate func render(_ model: AuthViewModel) { title = model.isBusy ? "…" : nil }
    fileprivate func toast(_ text: String?) {}
}
