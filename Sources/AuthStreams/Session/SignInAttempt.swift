/// One sign-in under way: its place in the manager, and the signal that another took it.
final class SignInAttempt: Sendable {
    let id: UInt64
    let provider: ProviderID
    let startedAt: Duration
    /// Resolved when another sign-in or a sign-out takes this one's place.
    let supersession = OneShot<Void>()

    init(id: UInt64, provider: ProviderID, startedAt: Duration) {
        self.id = id
        self.provider = provider
        self.startedAt = startedAt
    }

    /// An event of this attempt, at that uptime.
    func event(
        _ kind: AuthEvent.Kind, at now: Duration, step: AuthState.SignInStep? = nil, failure: AuthError? = nil
    ) -> AuthEvent {
        AuthEvent(
            kind, attempt: id, provider: provider, step: step, failure: failure, elapsed: now - startedAt)
    }
}
