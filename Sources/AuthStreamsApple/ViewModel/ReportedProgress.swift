import AuthStreams

/// The progress of the attempt that reported a step last, as the events tell it.
///
/// A change of the account, and a sign-in while a user is signed in, leave the state as it is and report here alone.
struct ReportedProgress: Equatable {
    private var attempt: UInt64?
    private(set) var current: AuthProgress?

    /// Applies the next event.
    mutating func follow(_ event: AuthEvent) {
        switch event.kind {
        case .signInStep, .changeStep:
            guard let provider = event.provider, let step = event.step else { return }
            attempt = event.attempt
            current = AuthProgress(provider, step)
        case .signInSucceeded, .signInFailed, .changeSucceeded, .changeFailed:
            guard event.attempt == attempt else { return }
            current = nil
        default: return
        }
    }
}
