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
/// | a slow reader | shares one chain with the others, up to 65 536 unread states; past that it jumps to the present, and its iterator's ``Broadcast/Iterator/skipped`` says how many it missed. ``latest`` conflates |
/// | cost of an idle reader | its iterator. `break` gives everything back |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
/// | cancelling a reader's task | ends that reader alone |
/// | isolation | the reader's own; a writer never waits for readers |
public struct AuthStates: AsyncSequence, Sendable {
    private let broadcast: Broadcast<AuthState>

    /// The states that go through this broadcast.
    package init(_ broadcast: Broadcast<AuthState>) {
        self.broadcast = broadcast
    }

    /// Takes a place at the present state.
    public func makeAsyncIterator() -> Broadcast<AuthState>.Iterator { broadcast.makeAsyncIterator() }

    /// The newest state only: a reader that was busy skips what it missed, without counting.
    public var latest: Broadcast<AuthState>.Latest { broadcast.latest }

    /// How many readers are parked now, for tests.
    package var waitingReaders: Int { broadcast.waitingReaders }
}
