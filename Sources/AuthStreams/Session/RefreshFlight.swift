/// One refresh under way, for everybody who waits for it.
final class RefreshFlight: Sendable {
    /// The generation it refreshes.
    let generation: UInt64
    /// The access token that is to be replaced.
    let replaced: Secret
    let startedAt: Duration
    /// What came of it, which is the token alone: a crowd may wait for it. Who waits may leave; it goes on.
    let outcome = OneShot<Result<Secret, AuthError>>()
    /// Resolved when its generation is over: nobody wants it any more.
    let supersession = OneShot<Void>()

    init(generation: UInt64, replaced: Secret, startedAt: Duration) {
        self.generation = generation
        self.replaced = replaced
        self.startedAt = startedAt
    }
}

/// Until when nothing is to be refreshed, unless that changes.
struct RefreshPlan: Sendable {
    /// Uptime; `nil` for not at all.
    let due: Duration?
    /// Resolved when another plan takes this one's place.
    let change = OneShot<Void>()
}
