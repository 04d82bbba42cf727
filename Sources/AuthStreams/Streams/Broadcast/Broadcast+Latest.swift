extension Broadcast {
    /// The newest element only: a reader that was busy skips what it missed, without counting.
    public var latest: Latest { Latest(broadcast: self) }

    /// The view of a broadcast that conflates: whenever a reader asks, it gets the newest element that it has not had.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | first element | made with an initial element: the newest at the first `next()`, without a suspension. Made without: the newest of those sent since `makeAsyncIterator()` |
    /// | lost, repeated, reordered? | what comes while a reader is busy is replaced by what comes after it; nothing comes twice, or before what was sent earlier |
    /// | a slow reader | misses what was replaced; there is nothing that it could lag behind, so no bound |
    /// | cost of an idle reader | its iterator, and no element is kept for it |
    /// | end | after ``Broadcast/finish()``, or when the broadcast is released: the newest element is still read, then `nil`. Iterators do not keep it alive |
    /// | cancelling a reader's task | ends that reader alone, at once |
    /// | isolation | the reader's own, without a hop; a writer never waits for readers |
    public struct Latest: AsyncSequence, Sendable {
        let broadcast: Broadcast

        /// Takes a place at the present, here and now.
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
