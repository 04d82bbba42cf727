import AuthStreams

/// The taps on one button: the first begins an attempt, and those during it are ignored.
///
/// The attempt does not end with the view: views also go away while a provider's page covers them, and the attempt ends by the
/// person's answer or its time limit. Its result is seen in the service's states, and its error is still reported.
@MainActor final class SignInTaps {
    /// Whether an attempt is in progress.
    private(set) var isInProgress = false

    /// Begins an attempt, unless one is in progress.
    ///
    /// - Parameters:
    ///   - signIn: Makes the attempt.
    ///   - onChange: Called when it begins and when it has ended, with whether one is in progress.
    ///   - onError: Called with the error of an attempt that failed.
    func tap(
        _ signIn: @MainActor () -> AuthStream<SignInResult>, onChange: @escaping @MainActor (Bool) -> Void = { _ in },
        onError: @escaping @MainActor (AuthError) -> Void
    ) {
        guard !isInProgress else { return }
        let attempt = signIn()
        isInProgress = true
        onChange(true)
        // Of two buttons that are tapped in one turn, the attempts begin in that order: both tasks are of the main actor.
        Task {
            let result = await attempt.result
            self.isInProgress = false
            onChange(false)
            if case .failure(let error) = result { onError(error) }
        }
    }
}
