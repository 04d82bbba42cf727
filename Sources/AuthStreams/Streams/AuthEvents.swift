/// What happens in the service, as it happens, for any number of readers: for logs and metrics.
///
/// | question | answer |
/// | --- | --- |
/// | first element | the first event after `makeAsyncIterator()` |
/// | lost, repeated, reordered? | never within the bound: every reader sees every event, in one order, the same for all |
/// | a slow reader | up to 65 536 unread events; past that it jumps to the newest, and its iterator's ``Broadcast/Iterator/skipped`` says how many it missed |
/// | cost of an idle reader | its iterator. `break` gives everything back |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
/// | cancelling a reader's task | ends that reader alone |
/// | isolation | the reader's own; a writer never waits for readers |
public struct AuthEvents: AsyncSequence, Sendable {
    private let broadcast: Broadcast<AuthEvent>

    /// The events that go through this broadcast.
    package init(_ broadcast: Broadcast<AuthEvent>) {
        self.broadcast = broadcast
    }

    /// Takes a place behind the newest event.
    public func makeAsyncIterator() -> Broadcast<AuthEvent>.Iterator { broadcast.makeAsyncIterator() }

    /// How many readers are parked now, for tests.
    package var waitingReaders: Int { broadcast.waitingReaders }
}
