/// One refresh under way, which all callers that need its token share.
@usableFromInline
package final class RefreshOperation: Sendable {
    /// The access token that it replaces; `nil` for an adoption.
    package let replaced: Secret?
    let startedAt: Duration
    /// The token alone: thousands of callers may wait for it. A caller may leave; the refresh continues.
    let outcome = Promise<Result<Secret, AuthError>>()
    /// Resolved when the session is over, so that the answer is of no use.
    let supersession = Promise<Void>()

    init(replaced: Secret?, startedAt: Duration) {
        self.replaced = replaced
        self.startedAt = startedAt
    }

    /// Waits for the token.
    ///
    /// - Throws: `cancelled` when the waiting task was cancelled first; or why there is no token.
    @usableFromInline
    func token() async throws(AuthError) -> Secret {
        try Self.token(of: await outcome.value())
    }

    /// Not inlined: the frame of each waiting caller would reserve room for making the error.
    @inline(never)
    private static func token(of outcome: Result<Secret, AuthError>?) throws(AuthError) -> Secret {
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }
}

extension RefreshOperation: Hashable {
    /// Whether both began with the same token at the same time. The state machine compares identities.
    @usableFromInline
    package static func == (first: RefreshOperation, second: RefreshOperation) -> Bool {
        first.replaced == second.replaced && first.startedAt == second.startedAt
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(replaced)
        hasher.combine(startedAt)
    }
}

/// One request that replaces the tokens of the session, by its refresh token or by a change of the account.
package struct RefreshRequest: Hashable, Sendable {
    /// The session that it began with.
    package let kept: KeptSession
    /// The refresh that it belongs to; `nil` for a change of the account.
    package let refresh: RefreshOperation?
    /// Whether the token was sent before, and that answer was lost.
    package var isRepeat: Bool
    /// The version of the record that says that the token is sent; `nil` where none does.
    package var markVersion: RecordVersion?

    /// Which session it is, and how far it had come.
    package var stage: KeptSession.Stage { kept.stage }

    /// Whether it asks for the first access token of an adoptable session.
    var isAdoption: Bool { kept.session == nil }

    func event(
        _ kind: AuthEvent.Kind, adopting adoption: AuthEvent.Kind, failure: AuthError? = nil, at now: Duration
    ) -> AuthEvent {
        AuthEvent(
            isAdoption ? adoption : kind, provider: kept.provider, failure: failure.map(AuthEvent.Failure.of),
            elapsed: refresh.map { now - $0.startedAt })
    }
}

/// What a caller that wants a token demands.
package enum TokenDemand: Sendable, Equatable {
    /// A valid one.
    case valid
    /// A valid one other than this. If there was none (`nil`), what the store holds is older, and a new one is requested.
    case replacing(Secret?)
}

/// What a caller that demands a token has to do.
package enum TokenDecision: Sendable {
    case token(Secret)
    /// Wait for the refresh under way.
    case join(RefreshOperation)
    /// Carry out this refresh, and wait for it.
    case start(RefreshOperation)
    /// Persist the new tokens, which are withheld until then.
    case persistFirst
    /// Wait until it is known who is signed in.
    case waitUntilKnown
    case fail(AuthError)
}

/// What a caller that needs a valid token gets without a transition.
@usableFromInline
enum CurrentToken: Sendable {
    case token(Secret)
    /// The token has expired, and the next one is under way.
    case refresh(RefreshOperation)
    case none
}

/// When something is done without a caller: a refresh, or a write that failed before.
struct Schedule: Sendable {
    /// The uptime; `nil` for never.
    let due: Duration?
    /// Resolved when another schedule replaces this one.
    let change = Promise<Void>()
}
