/// Who is signed in, now and from now on, for any number of readers.
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
/// | question | answer |
/// | --- | --- |
/// | first element | the state at the moment of `makeAsyncIterator()`, without a suspension |
/// | lost, repeated, reordered? | never within the bound: every reader sees every change, in one order, the same for all |
/// | a slow reader | shares one chain with the others, up to 65 536 unread states; past that it jumps to the present, and its iterator's ``Iterator/skipped`` says how many it missed |
/// | cost of an idle reader | its iterator. `break` gives everything back |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
/// | cancelling a reader's task | ends that reader alone |
/// | isolation | the reader's own; a writer never waits for readers |
public struct AuthStates: AsyncSequence, Sendable {
    let broadcast: Broadcast<AuthState>

    /// A state.
    public typealias Element = AuthState

    /// Takes a place at the present state.
    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: BroadcastCursor(broadcast, replaysPresent: true))
    }

    /// The newest state only: a reader that was busy skips what it missed, without counting.
    public var latest: Latest { Latest(broadcast: broadcast) }

    /// One reader of the states.
    public struct Iterator: AsyncIteratorProtocol {
        var cursor: BroadcastCursor<AuthState>

        /// How many states were missed just before the one returned last. More than 0 only past the bound.
        public var skipped: Int { cursor.skipped }

        /// The next state; `nil` when the service is gone or the task was cancelled.
        public mutating func next() async -> AuthState? { await cursor.next() }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthState? { await cursor.next() }
    }

    /// The states, conflated to the newest.
    public struct Latest: AsyncSequence, Sendable {
        let broadcast: Broadcast<AuthState>

        /// A state.
        public typealias Element = AuthState

        /// Takes a place at the present state.
        public func makeAsyncIterator() -> Iterator {
            Iterator(cursor: BroadcastCursor(broadcast, replaysPresent: true, conflates: true))
        }
    }
}
