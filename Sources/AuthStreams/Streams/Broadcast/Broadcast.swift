/// One stream of elements for any number of concurrent readers: the mechanism under ``AuthStates`` and ``AuthEvents``.
///
/// ```swift
/// let score = Broadcast(0)
/// Task { for await points in score { show(points) } }
/// score.send(1)
/// ```
///
/// ```
/// send           1 ───────── 2 ───────── 3 ───────── finish
/// Broadcast(0)   0 1 ─────── 2 ───────── 3 ───────── |        an early reader
///                      1 ─── 2 ───────── 3 ───────── |        a late one begins with the present
/// Broadcast()          ───── 2 ───────── 3 ───────── |        without a present: with what comes next
/// ```
///
/// The defaults are those of <doc:Streams#How-streams-behave>; these answers differ:
///
/// | question | answer |
/// | --- | --- |
/// | first element | made with an initial element: the present at the moment of `makeAsyncIterator()`, without a suspension. Made without: what is sent after that moment |
/// | how many elements? | any number: every reader sees every element after its first, in one order, the same for all |
/// | lost, repeated, reordered? | never within the bound, however many writers there are |
/// | a slow reader | shares one chain of unread elements with all others. More than `limit` behind it jumps to the present, and its iterator's ``Iterator/skipped`` says how many it missed. ``latest`` conflates |
/// | cost of an idle reader | one that never reads again holds the unread elements, up to `limit` and a sixteenth more, at least 64 |
/// | end | after ``finish()``, or when the broadcast is released: readers get what they have not read, then `nil`. Iterators do not keep it alive |
/// | cancel | `nil` at once; unread elements stay unread |
public final class Broadcast<Element: Sendable>: Sendable {
    @usableFromInline
    let hub: BroadcastHub

    /// Makes a broadcast whose readers begin with the present element.
    ///
    /// - Parameters:
    ///   - initial: The first present.
    ///   - limit: How many elements a reader may lag behind before it jumps to the present, at least 1; `nil` for no
    ///     bound.
    public convenience init(_ initial: Element, limit: Int? = 65_536) {
        self.init(initial, limit: limit, onGap: nil)
    }

    /// - Parameter onGap: Called with the number of elements that a reader past the bound has missed, in its task.
    init(_ initial: Element, limit: Int? = 65_536, onGap: (@Sendable (Int) -> Void)?) {
        hub = BroadcastHub(first: BroadcastNode(initial), replaysPresent: true, limit: limit, onGap: onGap)
    }

    /// Makes a broadcast whose readers begin with the first element sent after they join.
    ///
    /// - Parameter limit: How many elements a reader may lag behind before it jumps to the present, at least 1; `nil`
    ///   for no bound.
    public init(limit: Int? = 65_536) {
        hub = BroadcastHub(first: BroadcastLink(), replaysPresent: false, limit: limit)
    }

    deinit { hub.finish() }

    /// Sends an element to every reader. Ignored after ``finish()``.
    ///
    /// A writer never waits for readers. They are woken in the order in which they began to wait, and read when their own
    /// task runs. Of several writers one is first, for all readers alike.
    @inlinable
    public func send(_ element: Element) { hub.link(BroadcastNode(element))?.wakeReaders() }

    /// Ends the broadcast: readers get what they have not read yet, then `nil`. Idempotent.
    public func finish() { hub.finish() }

    /// The newest element; `nil` if there was none, which is never so for a broadcast made with an initial element.
    @inlinable
    public var value: Element? { hub.newestLink.map { BroadcastNode<Element>.element(in: $0) } }

    /// Commits an element without waking the readers, for a writer that holds a lock of its own.
    ///
    /// - Returns: The delivery, to be performed once all locks are released; `nil` after ``finish()``.
    func link(_ element: Element) -> BroadcastDelivery? { hub.link(BroadcastNode(element)) }

    /// How many readers wait right now.
    package var waitingReaders: Int { hub.waitingReaders }
}

extension Broadcast: AsyncSequence {
    /// Joins at the present.
    public func makeAsyncIterator() -> Iterator { Iterator(cursor: BroadcastCursor(hub)) }
}

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
