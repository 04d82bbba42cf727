import AuthStreams
import Foundation

/// The taps on one button: the first begins an attempt, and those during it are ignored.
///
/// The attempt does not end with the view: views also go away while a provider's page covers them, and the attempt ends by the
/// person's answer or its time limit. Its result is seen in the service's states, and is still reported.
@MainActor final class SignInTaps {
    /// Whether an attempt is in progress.
    private(set) var isInProgress = false

    /// Begins an attempt, unless one is in progress.
    ///
    /// - Parameters:
    ///   - action: What the button does.
    ///   - method: The provider and the kind of method.
    ///   - request: Where to present.
    ///   - auth: The service, which the attempt keeps until it has ended.
    ///   - reports: Receives the result, once. They are kept until the attempt has ended.
    ///   - onChange: Called when it begins and when it has ended, with whether one is in progress.
    func tap(
        _ action: SignInButtonAction, with method: SignInMethod, _ request: AuthRequest = AuthRequest(),
        of auth: AuthService, reports: SignInReports, onChange: @escaping @MainActor (Bool) -> Void
    ) {
        guard !isInProgress else { return }
        switch action {
        case .signIn: run(auth.signIn(with: method, request), reports.onSignIn, reports, onChange)
        case .link:
            run(auth.link(with: method.provider, using: method.kind, request), reports.onLink, reports, onChange)
        }
    }

    private func run<Success>(
        _ attempt: AuthStream<Success>, _ onSuccess: @escaping @MainActor (Success) -> Void, _ reports: SignInReports,
        _ onChange: @escaping @MainActor (Bool) -> Void
    ) {
        isInProgress = true
        onChange(true)
        // Of two buttons that are tapped in one turn, the attempts begin in that order: both tasks are of the main actor.
        Task {
            let result = await attempt.result
            self.isInProgress = false
            onChange(false)
            switch result {
            case .success(let success): onSuccess(success)
            case .failure(let error): reports.tell(error)
            }
        }
    }
}

/// The closures of the app that learn how the attempts of buttons ended.
struct SignInReports: Sendable {
    var onSignIn: @MainActor @Sendable (SignInResult) -> Void = { _ in }
    var onLink: @MainActor @Sendable (AuthUser) -> Void = { _ in }
    var onError: @MainActor @Sendable (AuthMessage) -> Void = { _ in }
    /// The language of the messages.
    var locale = Locale.current

    /// Reports an error, unless there is nothing to tell the person.
    @MainActor func tell(_ error: AuthError) {
        if let message = AuthMessage(error, locale: locale) { onError(message) }
    }
}
