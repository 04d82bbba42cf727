extension Broadcast {
    /// One reader of a broadcast: its place in the chain.
    ///
    /// Generic asynchronous code that its caller cannot see costs three times the latency and a kilobyte for each reader.
    /// So the generic code is inlinable and short; the rest is not generic.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline
        var cursor: BroadcastCursor

        init(cursor: BroadcastCursor) {
            self.cursor = cursor
        }

        /// How many elements were missed just before the one returned last. More than 0 only past the bound.
        public var skipped: Int { cursor.skipped }

        /// The next element; `nil` at the end, or when the task is cancelled.
        @inlinable
        public mutating func next() async -> Element? {
            if !cursor.advance() {
                guard await cursor.wait() else { return nil }
            }
            return BroadcastNode<Element>.element(in: cursor.link)
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if !cursor.advance() {
                guard await cursor.wait() else { return nil }
            }
            return BroadcastNode<Element>.element(in: cursor.link)
        }
    }
}
