import AuthStreams
import AuthStreamsApple
import Foundation

/// The app: its root screens, its buttons and its toasts, as lines of a terminal.
@MainActor
final class Board {
    private let phone: Phone
    private let model: AuthViewModel
    private var coordinator: RootCoordinator?
    private let texts: AuthErrorTexts
    private let write: (String) -> Void
    /// The screen that stands in the terminal.
    private var shown = RootScreen.launch
    private var asked: Key?
    private let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Makes the app and shows its launch screen.
    ///
    /// - Parameters:
    ///   - showsProgress: Whether to write the steps of a log-in, as many of them as are seen.
    ///   - write: Writes a line.
    init(_ phone: Phone, _ texts: AuthErrorTexts, showsProgress: Bool, write: @escaping (String) -> Void) {
        self.phone = phone
        self.texts = texts
        self.write = write
        model = AuthViewModel(phone.auth)
        draw(.launch)
        coordinator = RootCoordinator(phone.auth.states) { [weak self] in
            self?.draw($0)
        } openLink: { [weak self] in
            self?.write("   link   \($0.absoluteString)")
            self?.change.yield()
        }
        phone.person.onQuestion = { [weak self] in self?.drawQuestion() }
        model.onError(for: self) { $0.toast($1) }
        model.observe(for: self) { board, model in
            if showsProgress, let progress = model.progress { board.write("   …      \(progress.step)") }
            board.change.yield()
        }
    }

    // MARK: Keys

    /// Presses a key.
    ///
    /// - Returns: `false` for the key that ends the app.
    func press(_ key: Key) -> Bool {
        switch key {
        case .apple, .google, .kakao, .naver: signIn(by: key)
        case .agree: phone.person.answer(agreeing: true)
        case .refuse: phone.person.answer(agreeing: false)
        case .cancel:
            model.cancel()
            phone.person.leave()
        case .link: follow("pulseboard://posts/7")
        case .signOut: model.signOut()
        case .delete: model.deleteAccount()
        case .quit: return false
        }
        return true
    }

    private func signIn(by key: Key) {
        guard let provider = key.provider, shown == .login else { return }
        asked = key
        model.signIn(with: provider)
    }

    private func follow(_ link: String) {
        guard let url = URL(string: link), let coordinator else { return }
        coordinator.open(url)
        if coordinator.pendingLink != nil { write("          \(link) waits for the home screen") }
    }

    /// Waits until the app shows what a key has led to: a provider asks, or nothing is in flight.
    func settle() async {
        if isSettled { return }
        for await _ in changes where isSettled { return }
    }

    private var isSettled: Bool {
        guard !phone.person.isAsked else { return true }
        let isOpening = if case .home = shown { coordinator?.pendingLink != nil } else { false }
        return shown != .launch && shown == RootScreen(phone.auth.state) && !model.isBusy && !isOpening
    }

    // MARK: Screens

    private func draw(_ screen: RootScreen) {
        shown = screen
        switch screen {
        case .launch: write("── PulseBoard")
        case .login: write("── Log in   \(Key.legend(.apple, .google, .kakao, .naver, .link, .quit))")
        case .home(let id):
            write("── Home of \(phone.auth.user?.displayName ?? id)   \(Key.legend(.link, .signOut, .delete, .quit))")
        }
        change.yield()
    }

    private func drawQuestion() {
        write("   ask    \(asked?.title ?? "The provider")   \(Key.legend(.agree, .refuse, .cancel, .link))")
        change.yield()
    }

    private func toast(_ error: AuthError) {
        if let text = texts.text(for: error) { write("   toast  \(text)") }
    }
}
