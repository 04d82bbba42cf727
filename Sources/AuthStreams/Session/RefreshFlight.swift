/// One refresh under way, for everybody who waits for it.
@usableFromInline
final class RefreshFlight: Sendable {
    /// The generation it refreshes.
    let generation: UInt64
    /// The access token that is to be replaced.
    let replaced: Secret
    let startedAt: Duration
    /// What it brought.
    struct Arrival: Sendable {
        let token: Secret
        /// Whether another process got it, so that nothing was asked.
        let isSpared: Bool
    }

    /// What came of it, which is the token alone: a crowd may wait for it. Who waits may leave; it goes on.
    let outcome = OneShot<Result<Secret, AuthError>>()
    /// Resolved when its generation is over: nobody wants it any more.
    let supersession = OneShot<Void>()

    init(generation: UInt64, replaced: Secret, startedAt: Duration) {
        self.generation = generation
        self.replaced = replaced
        self.startedAt = startedAt
    }

    /// Waits for the token that it brings.
    ///
    /// - Throws: `cancelled` when the waiting task was cancelled first; or why there is none.
    @usableFromInline
    func token() async throws(AuthError) -> Secret {
        try Self.token(of: await outcome.value())
    }

    /// Not inlined: each of a crowd would keep room for the making of the error while it waits.
    @inline(never)
    private static func token(of outcome: Result<Secret, AuthError>?) throws(AuthError) -> Secret {
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }
}

/// What somebody who wants a good token is given, or waits for, with nothing else to be decided.
@usableFromInline
enum AtHand: Sendable {
    case token(Secret)
    /// The token is over, and the next one under way.
    case flight(RefreshFlight)
    case nothing
}

/// Until when nothing is to be refreshed, unless that changes.
struct RefreshPlan: Sendable {
    /// Uptime; `nil` for not at all.
    let due: Duration?
    /// Resolved when another plan takes this one's place.
    let change = OneShot<Void>()
}
