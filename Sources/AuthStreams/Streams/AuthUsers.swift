/// Who is signed in, now and from now on: the projection of ``AuthStates`` that most screens need.
///
/// ```swift
/// for await user in auth.states.users { show(user) }   // nil: nobody
/// ```
///
/// ```
/// states    restoring ── signedIn(ada, cached) ── signedIn(ada, verified) ── signedOut ── signingIn ── signedIn(bob) ──▶
/// users                  ada                                                 nil                       bob
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | first element | once storage was read: while it is not, nobody knows, and `nil` would be a false 'signed out' |
/// | repeats | dropped: an element comes when the user, or anything told about them, is another than before |
/// | the rest | as ``AuthStates``; a reader that lagged behind the bound sees the present next, and its ``Iterator/skipped`` says so |
public struct AuthUsers: AsyncSequence, Sendable {
    /// A user, or `nil` for nobody.
    public typealias Element = AuthUser?

    private let states: AuthStates

    init(_ states: AuthStates) {
        self.states = states
    }

    /// Takes a place at the present.
    public func makeAsyncIterator() -> Iterator { Iterator(states.makeAsyncIterator()) }

    /// One reader's place.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: Broadcast<AuthState>.Iterator
        private var last: AuthUser??

        init(_ base: Broadcast<AuthState>.Iterator) {
            self.base = base
        }

        /// How many states this reader missed because it was further behind than the bound.
        public var skipped: Int { base.skipped }

        /// The next user; the outer `nil` ends the sequence.
        public mutating func next() async -> AuthUser?? {
            while let state = await base.next() {
                if let user = project(state) { return .some(user) }
            }
            return nil
        }

        /// The next user, on the caller's actor.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthUser?? {
            while let state = await base.next(isolation: actor) {
                if let user = project(state) { return .some(user) }
            }
            return nil
        }

        /// The user of a state, unless it is the one of before or nobody knows.
        private mutating func project(_ state: AuthState) -> AuthUser?? {
            if case .restoring = state { return nil }
            guard last != .some(state.user) else { return nil }
            last = .some(state.user)
            return .some(state.user)
        }
    }
}

extension AuthStates {
    /// Who is signed in, without the steps in between.
    public var users: AuthUsers { AuthUsers(self) }
}
