extension Broadcast {
    /// The newest element only: a reader that was busy skips what it missed, without counting.
    public var latest: Latest { Latest(broadcast: self) }

    /// The view of a broadcast that conflates: whenever a reader asks, it gets the newest element that it has not had.
    ///
    /// | question | answer, where it is not that of ``Broadcast`` |
    /// | --- | --- |
    /// | first element | made with an initial element: the newest at the first `next()`, without a suspension. Made without: the newest of those sent since `makeAsyncIterator()` |
    /// | lost, repeated, reordered? | an element that comes while a reader is busy is replaced by the next one; none comes twice, or before one that was sent earlier |
    /// | a slow reader | misses what was replaced. There is no bound |
    /// | cost of an idle reader | its iterator; no element is kept for it |
    /// | end | the newest element is still read, then `nil` |
    public struct Latest: AsyncSequence, Sendable {
        let broadcast: Broadcast

        /// Joins at the present.
        public func makeAsyncIterator() -> Iterator { Iterator(cursor: LatestCursor(broadcast.hub)) }

        /// One reader of the newest element.
        public struct Iterator: AsyncIteratorProtocol {
            @usableFromInline
            var cursor: LatestCursor

            /// The newest element, when there is one that was not returned yet; `nil` at the end, or when the task is
            /// cancelled.
            @inlinable
            public mutating func next() async -> Element? {
                if let link = cursor.advance() { return BroadcastNode<Element>.element(in: link) }
                return await cursor.wait().map { BroadcastNode<Element>.element(in: $0) }
            }

            /// The same on the given actor, which `for await` calls on newer systems.
            @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
            @inlinable
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
                if let link = cursor.advance() { return BroadcastNode<Element>.element(in: link) }
                return await cursor.wait().map { BroadcastNode<Element>.element(in: $0) }
            }
        }
    }
}
