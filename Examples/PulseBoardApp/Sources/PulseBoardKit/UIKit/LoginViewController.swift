import AuthStreams
import AuthStreamsApple
import UIKit

final class LoginViewController: ColumnViewController {
    private let board: Board
    private let titleLabel = UILabel()
    private let notice = UILabel()
    private let message = MessageLabel()

    init(_ board: Board) {
        self.board = board
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        titleLabel.text = "PulseBoard"
        addRow(titleLabel, .title1)
        addRow(notice, .body)
        // The logos are in the vendors' brand guides: SignInPickerView(auth: board.auth) { UIImage(named: "logo-\($0)") } …
        addRow(SignInPickerView(auth: board.auth) { [weak message] in message?.show($0) })
        addRow(message, .headline)
        board.model.observe(for: self) { screen, model in screen.notice.text = LoginContent(model.state).notice }
    }
}

/// A message that stays until another one comes, or the next attempt begins.
final class MessageLabel: UILabel {
    func show(_ message: AuthMessage) {
        text = [message.text, message.suggestion].compactMap { $0 }.joined(separator: "\n")
    }
}
