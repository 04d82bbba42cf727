extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Starts an inner sequence for an element, and ignores further elements until that one has ended: the log-in button.
    ///
    /// ```swift
    /// for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { show(result) }
    /// ```
    ///
    /// ```
    /// taps      ●───●───●────────────●──▶
    /// signIn    ╰─────────── ok      ╰──── ok
    /// result    ──────────── ok ────────── ok      the second and third tap are ignored
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | at the first `next()`; each iterator has a run of its own |
    /// | where does it run? | in one task of its own, with the priority and task-locals of the first `next()` |
    /// | lost, repeated, reordered? | elements that come while an inner sequence runs are ignored; of an inner sequence nothing is |
    /// | a slow reader | what the inner sequences deliver waits for it, all of it |
    /// | end | when the base has ended and the inner sequence too. A base that throws ends like one that ends |
    /// | cancelling, `break` | cancels the task, and with it the inner sequence |
    public func flatMapFirst<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> FlatMapFirstSequence<Self, Inner> {
        FlatMapFirstSequence(base: self, transform: transform)
    }
}

/// The sequence that `flatMapFirst` returns.
public struct FlatMapFirstSequence<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>: AsyncSequence,
    Sendable
where Base.Element: Sendable, Inner.Element: Sendable {
    let base: Base
    let transform: @Sendable (Base.Element) -> Inner

    /// What the inner sequences deliver.
    public typealias Element = Inner.Element

    /// Begins an iteration. Nothing runs before its first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(storage: FlatMapFirstStorage(base: base, transform: transform))
    }

    /// One run over the base.
    public struct Iterator: AsyncIteratorProtocol {
        /// Ends the run when the last copy of the iterator is gone.
        private final class Lifetime: Sendable {
            let storage: FlatMapFirstStorage<Base, Inner>
            init(_ storage: FlatMapFirstStorage<Base, Inner>) { self.storage = storage }
            deinit { storage.stop() }
        }
        private let lifetime: Lifetime

        init(storage: FlatMapFirstStorage<Base, Inner>) {
            lifetime = Lifetime(storage)
        }

        /// The next element of an inner sequence; `nil` at the end, or when the task is cancelled.
        public mutating func next() async -> Inner.Element? { await lifetime.storage.next() }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Inner.Element? {
            await lifetime.storage.next()
        }
    }
}
