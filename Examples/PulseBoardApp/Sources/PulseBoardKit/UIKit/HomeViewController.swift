import AuthStreams
import AuthStreamsApple
import Foundation
import UIKit

final class HomeViewController: ColumnViewController {
    private let board: Board
    private let titleLabel = UILabel()
    private let lines = UILabel()
    private let page = UILabel()
    private var cancelButton: UIButton?
    private var identityButtons: [ProviderID: UIButton] = [:]
    private let message = MessageLabel()

    init(_ board: Board) {
        self.board = board
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let model = board.model
        addRow(titleLabel, .title1)
        addRow(lines, .body)
        cancelButton = addButton("Cancel") { model.cancel() }
        addRow(page, .headline)
        for provider in model.providers {
            identityButtons[provider] = addButton("") { [weak self] in self?.toggle(provider) }
        }
        addButton("Sign out") { model.signOut() }
        addButton("Sign out everywhere") { model.signOut(everywhere: true) }
        addButton("Delete account") { [weak self] in self?.askToDelete() }
        addRow(message, .headline)
        model.observe(for: self) { screen, _ in screen.render() }
        model.onError(for: self) { screen, error in
            if let message = AuthMessage(error, locale: .current) { screen.message.show(message) }
        }
    }

    /// Opens a link of the app.
    func open(_ link: URL) { page.text = Link(link).title }

    private var content: HomeContent? { board.model.user.map { HomeContent(of: $0, board.model) } }

    private func render() {
        guard let content else { return }
        titleLabel.text = content.title
        lines.text = content.lines.joined(separator: "\n")
        cancelButton?.isHidden = !content.asksProvider
        for identity in content.identities {
            identityButtons[identity.provider]?.configuration?.title = identity.title
        }
        if board.model.isBusy { message.text = nil }
    }

    private func toggle(_ provider: ProviderID) {
        let request = AuthRequest(presentation: view.window.map { .in($0) } ?? .automatic)
        content?.identities.first { $0.provider == provider }?.toggle(board.model, request)
    }

    private func askToDelete() {
        let alert = UIAlertController(
            title: HomeContent.deletionTitle, message: HomeContent.deletionMessage, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Delete", style: .destructive) { [board, weak self] _ in
                let request = AuthRequest(presentation: self?.view.window.map { .in($0) } ?? .automatic)
                board.model.deleteAccount(request)
            })
        present(alert, animated: true)
    }
}
