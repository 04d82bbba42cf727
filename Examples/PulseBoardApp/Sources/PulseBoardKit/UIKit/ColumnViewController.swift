import Foundation
import UIKit

/// A screen of rows, one below the other, that scrolls.
class ColumnViewController: UIViewController {
    private let column = UIStackView()

    init() { super.init(nibName: nil, bundle: nil) }

    /// Not supported: the screens are made in code.
    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let scroll = UIScrollView()
        scroll.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(scroll)
        column.axis = .vertical
        column.spacing = 16
        column.translatesAutoresizingMaskIntoConstraints = false
        scroll.addSubview(column)
        let (safe, content) = (view.safeAreaLayoutGuide, scroll.contentLayoutGuide)
        NSLayoutConstraint.activate([
            scroll.leadingAnchor.constraint(equalTo: safe.leadingAnchor),
            scroll.trailingAnchor.constraint(equalTo: safe.trailingAnchor),
            scroll.topAnchor.constraint(equalTo: safe.topAnchor),
            scroll.bottomAnchor.constraint(equalTo: safe.bottomAnchor),
            column.topAnchor.constraint(equalTo: content.topAnchor, constant: 16),
            column.bottomAnchor.constraint(equalTo: content.bottomAnchor, constant: -16),
            // As wide as the screen, so that it scrolls up and down alone.
            column.leadingAnchor.constraint(equalTo: scroll.frameLayoutGuide.leadingAnchor, constant: 16),
            column.trailingAnchor.constraint(equalTo: scroll.frameLayoutGuide.trailingAnchor, constant: -16),
        ])
    }

    func addRow(_ row: UIView) { column.addArrangedSubview(row) }

    func addRow(_ label: UILabel, _ style: UIFont.TextStyle) {
        label.font = .preferredFont(forTextStyle: style)
        label.adjustsFontForContentSizeCategory = true
        label.numberOfLines = 0
        label.textAlignment = .center
        addRow(label)
    }

    @discardableResult
    func addButton(_ title: String, _ action: @escaping @MainActor () -> Void) -> UIButton {
        var configuration = UIButton.Configuration.plain()
        configuration.title = title
        let button = UIButton(configuration: configuration, primaryAction: UIAction { _ in action() })
        addRow(button)
        return button
    }
}

/// The screen until it is known who is signed in, and while the gate is closed. Without its buttons it looks as the system's launch
/// screen does.
final class LaunchViewController: ColumnViewController {
    private let board: Board

    init(_ board: Board) {
        self.board = board
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let model = board.model
        let buttons = [
            addButton("Unlock") { model.openGate() }, addButton("Sign out") { model.signOut() },
        ]
        model.observe(for: self) { _, model in
            for button in buttons { button.isHidden = model.gateState != .closed }
        }
    }
}

/// What has to be set up before there are screens.
final class ProblemViewController: ColumnViewController {
    private let problem: SetUpProblem

    init(_ problem: SetUpProblem) {
        self.problem = problem
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let label = UILabel()
        label.text = problem.explanation
        addRow(label, .body)
    }
}
