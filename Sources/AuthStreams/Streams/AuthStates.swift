/// The sign-in state, now and from now on, for any number of readers.
///
/// ```swift
/// for await state in auth.states { show(state) }
/// ```
///
/// ```
/// state     restoring ── signedOut ──── signingIn ──── signedIn ──▶
/// early     ●─────────── ●───────────── ●───────────── ●
/// late                        ●──────── ●───────────── ●            joins with the state of that moment
/// ```
///
/// A ``Broadcast`` with a present, with these differences:
///
/// | question | answer |
/// | --- | --- |
/// | first element | the state at the moment of `makeAsyncIterator()`, without a suspension |
/// | a slow reader | more than 65 536 states behind it jumps to the present, and ``AuthEvent/Kind/readerFellBehind`` is sent |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
public struct AuthStates: AsyncSequence, Sendable {
    private let broadcast: Broadcast<AuthState>

    /// The states that go through this broadcast.
    package init(_ broadcast: Broadcast<AuthState>) {
        self.broadcast = broadcast
    }

    /// Joins at the present state.
    public func makeAsyncIterator() -> Broadcast<AuthState>.Iterator { broadcast.makeAsyncIterator() }

    /// The newest state only: a reader that was busy skips what it missed, without counting.
    public var latest: Broadcast<AuthState>.Latest { broadcast.latest }

    /// The state now, also after the end.
    package var present: AuthState? { broadcast.value }

    /// How many readers are parked now, for tests.
    package var waitingReaders: Int { broadcast.waitingReaders }
}

/// The user who is signed in, now and from now on: the projection of ``AuthStates`` that most screens need.
///
/// ```swift
/// for await user in auth.states.users { show(user) }   // nil: signed out
/// ```
///
/// ```
/// states    restoring ── signedIn(ada, cached) ── signedIn(ada, verified) ── signedOut ── signingIn ── signedIn(bob) ──▶
/// users                  ada                                                 nil                       bob
/// ```
///
/// It behaves as ``AuthStates`` does, with these differences:
///
/// | question | answer |
/// | --- | --- |
/// | first element | the user, once storage was read. Before that it is unknown, and `nil` would be a false 'signed out', also when a sign-in begins |
/// | lost, repeated, reordered? | an element comes only when the user, or anything known about them, has changed |
/// | a slow reader | one past the bound sees the present next; ``Iterator/skipped`` counts the states that it missed |
public struct AuthUsers: AsyncSequence, Sendable {
    /// The user, or `nil` when signed out.
    public typealias Element = AuthUser?

    private let states: AuthStates

    init(_ states: AuthStates) {
        self.states = states
    }

    /// Joins at the present.
    public func makeAsyncIterator() -> Iterator { Iterator(states.makeAsyncIterator()) }

    /// One reader's place.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: Broadcast<AuthState>.Iterator
        private var last: AuthUser??
        private var isUnknown = false
        /// How many states were missed just before the user returned last. More than 0 only past the bound.
        public private(set) var skipped = 0

        init(_ base: Broadcast<AuthState>.Iterator) {
            self.base = base
        }

        /// The next user; the outer `nil` ends the sequence.
        public mutating func next() async -> AuthUser?? {
            skipped = 0
            while let state = await base.next() {
                if let user = project(state) { return user }
            }
            return nil
        }

        /// The next user, on the caller's actor.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthUser?? {
            skipped = 0
            while let state = await base.next(isolation: actor) {
                if let user = project(state) { return user }
            }
            return nil
        }

        /// The user of a state; `nil` while it is unknown, or if the user has not changed.
        private mutating func project(_ state: AuthState) -> AuthUser?? {
            // States missed before one that is dropped count for the next user.
            skipped += base.skipped
            switch state {
            case .restoring:
                isUnknown = true
                return nil
            // While a sign-in that began before storage was read is under way, the user is unknown.
            case .signingIn where isUnknown: return nil
            default: isUnknown = false
            }
            guard last != .some(state.user) else { return nil }
            last = .some(state.user)
            return last
        }
    }
}

extension AuthStates {
    /// The users of the states, without the steps in between.
    public var users: AuthUsers { AuthUsers(self) }
}
