import AuthStreams
import AuthStreamsApple
import UIKit

final class LoginViewController: ColumnViewController {
    private let board: Board

    init(_ board: Board) {
        self.board = board
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        addLabel(.title1).text = "PulseBoard"
        let notice = addLabel()
        // The logos are in the vendors' brand guides: SignInPickerView(auth: board.auth) { UIImage(named: "logo-\($0)") } …
        let message = MessageLabel()
        addRow(SignInPickerView(auth: board.auth) { [weak message] in message?.show($0) })
        addRow(message)
        board.model.observe(for: notice) { $0.text = LoginContent($1.state).notice }
    }
}

/// A message that stays until another one comes, or the next attempt begins.
final class MessageLabel: UILabel {
    func show(_ message: SignInMessage) {
        font = .preferredFont(forTextStyle: .headline)
        adjustsFontForContentSizeCategory = true
        numberOfLines = 0
        textAlignment = .center
        text = [message.text, message.suggestion].compactMap { $0 }.joined(separator: "\n")
    }
}
