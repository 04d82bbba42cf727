/// The events of the service, for any number of readers: for logs and metrics.
///
/// A ``Broadcast`` without a present, with these differences:
///
/// | question | answer |
/// | --- | --- |
/// | first element | the first event after `makeAsyncIterator()` |
/// | a slow reader | more than 65 536 events behind it jumps to the newest |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
public struct AuthEvents: AsyncSequence, Sendable {
    private let broadcast: Broadcast<AuthEvent>

    /// The events that go through this broadcast.
    package init(_ broadcast: Broadcast<AuthEvent>) {
        self.broadcast = broadcast
    }

    /// Joins after the newest event.
    public func makeAsyncIterator() -> Broadcast<AuthEvent>.Iterator { broadcast.makeAsyncIterator() }

    /// How many readers are parked now, for tests.
    package var waitingReaders: Int { broadcast.waitingReaders }
}
