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
