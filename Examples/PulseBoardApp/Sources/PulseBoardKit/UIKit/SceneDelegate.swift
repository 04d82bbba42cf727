import AuthStreams
import AuthStreamsApple
import Foundation
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let board: Result<Board, SetUpProblem>
    private var coordinator: RootCoordinator?
    /// Above the home screen while the gate is closed.
    private var cover: UIWindow?
    private var prompts: AuthPromptPresenter?

    override convenience init() { self.init(PulseBoardLauncher.board) }

    init(_ board: Result<Board, SetUpProblem>) {
        self.board = board
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        self.window = window
        switch board {
        case .success(let board):
            window.rootViewController = LaunchViewController(board)
            prompts = AuthPromptPresenter(board.auth)
            coordinator = RootCoordinator(board.auth.states) { [weak window] screen in
                window?.rootViewController = board.viewController(for: screen)
            } openLink: { [weak window] link in
                (window?.rootViewController as? HomeViewController)?.open(link)
            }
            board.model.observe(for: self) { [weak scene] delegate, model in
                delegate.cover(scene, model.user != nil && model.gateState != .open ? board : nil)
            }
            let own = board.auth.handle(connectionOptions)
            for context in own.urlContexts { coordinator?.open(context.url) }
            for link in own.userActivities.compactMap(\.webpageURL) { coordinator?.open(link) }
        case .failure(let problem):
            window.rootViewController = ProblemViewController(problem)
        }
        window.makeKeyAndVisible()
    }

    /// Covers the home screen, which stays below; uncovers it if `nil`.
    private func cover(_ scene: UIWindowScene?, _ board: Board?) {
        guard let scene, let board else {
            cover?.isHidden = true
            cover = nil
            return
        }
        guard cover == nil else { return }
        let cover = UIWindow(windowScene: scene)
        cover.rootViewController = LaunchViewController(board)
        cover.isHidden = false
        self.cover = cover
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        guard case .success(let board) = board else { return }
        for context in board.auth.handle(contexts) { coordinator?.open(context.url) }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        guard case .success(let board) = board, !board.auth.handle(userActivity), let link = userActivity.webpageURL
        else { return }
        coordinator?.open(link)
    }
}

extension Board {
    fileprivate func viewController(for screen: RootScreen) -> UIViewController {
        switch screen {
        case .launch: LaunchViewController(self)
        case .login: LoginViewController(self)
        case .home: HomeViewController(self)
        }
    }
}
