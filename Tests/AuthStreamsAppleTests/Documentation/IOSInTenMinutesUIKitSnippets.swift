// What the article 'iOS in ten minutes' shows of UIKit is between the marks; `auth` is that of the article 'Compose a service'.

// IOSInTenMinutes: uikit
import AuthStreams
import AuthStreamsApple
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var coordinator: RootCoordinator?

    func scene(_ scene: UIScene, willConnectTo _: UISceneSession, options: UIScene.ConnectionOptions) {
        coordinator = RootCoordinator(auth.states) { [weak self] screen in
            let isHome = if case .home = screen { true } else { false }
            self?.window?.rootViewController = isHome ? HomeViewController() : SignInViewController()
        }
        auth.handle(options)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { auth.handle(contexts) }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) { auth.handle(userActivity) }
}

final class SignInViewController: UIViewController {
    override func loadView() {
        let message = UILabel()
        message.numberOfLines = 0
        let picker = SignInPickerView(auth: auth) { message.text = $0.text }
        let stack = UIStackView(arrangedSubviews: [UIView(), message, picker])
        stack.axis = .vertical
        stack.isLayoutMarginsRelativeArrangement = true
        stack.backgroundColor = .systemBackground
        view = stack
    }
}
// IOSInTenMinutes end

/// The app's own screen.
private final class HomeViewController: UIViewController {}
