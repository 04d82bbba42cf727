import AuthStreams

/// A key of the board.
enum Key: Character, CaseIterable {
    case apple = "1"
    case google = "2"
    case kakao = "3"
    case naver = "4"
    case agree = "y"
    case refuse = "n"
    case cancel = "c"
    case link = "l"
    case signOut = "o"
    case delete = "d"
    case quit = "q"

    /// Every screen, a link in the middle of a log-in, a refusal, a cancel, three taps, and both ends of a session.
    static let tour = "3ly o 2n 1c 444y l dyy q"

    var title: String {
        switch self {
        case .apple: "Apple"
        case .google: "Google"
        case .kakao: "Kakao"
        case .naver: "Naver"
        case .agree: "agree"
        case .refuse: "refuse"
        case .cancel: "cancel"
        case .link: "follow a link"
        case .signOut: "sign out"
        case .delete: "delete the account"
        case .quit: "quit"
        }
    }

    var provider: ProviderID? {
        switch self {
        case .apple: .apple
        case .google: .google
        case .kakao: .kakao
        case .naver: .naver
        default: nil
        }
    }

    static func legend(_ keys: Key...) -> String {
        keys.map { "\($0.rawValue) \($0.title)" }.joined(separator: "  ")
    }
}
