/// What happens in the service, as it happens, for any number of readers: for logs and metrics.
///
/// | question | answer |
/// | --- | --- |
/// | first element | the first event after `makeAsyncIterator()` |
/// | lost, repeated, reordered? | never within the bound: every reader sees every event, in one order, the same for all |
/// | a slow reader | up to 65 536 unread events; past that it jumps to the newest, and its iterator's ``Iterator/skipped`` says how many it missed |
/// | cost of an idle reader | its iterator. `break` gives everything back |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
/// | cancelling a reader's task | ends that reader alone |
/// | isolation | the reader's own; a writer never waits for readers |
public struct AuthEvents: AsyncSequence, Sendable {
    let broadcast: Broadcast<AuthEvent>

    /// An event.
    public typealias Element = AuthEvent

    /// Takes a place behind the newest event.
    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: BroadcastCursor(broadcast, replaysPresent: false))
    }

    /// One reader of the events.
    public struct Iterator: AsyncIteratorProtocol {
        var cursor: BroadcastCursor<AuthEvent>

        /// How many events were missed just before the one returned last. More than 0 only past the bound.
        public var skipped: Int { cursor.skipped }

        /// The next event; `nil` when the service is gone or the task was cancelled.
        public mutating func next() async -> AuthEvent? { await cursor.next() }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthEvent? { await cursor.next() }
    }
}
