extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Starts an inner sequence for each element, and cancels the one before it: the provider picker, the search field.
    ///
    /// ```swift
    /// for await result in choices.flatMapLatest({ auth.signIn(with: $0) }) { show(result) }
    /// ```
    ///
    /// ```
    /// choices   kakao ─────── naver ──────────────────────▶
    /// kakao     ╰──────────── ✕                             cancelled; what it still says is not heard
    /// naver                   ╰───────────── ok
    /// result    ──────────────────────────── ok ──────────▶
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | at the first `next()`; each iterator has a run of its own, and joins the base where it is made |
    /// | where does it run? | the base in a task of its own with the priority and task-locals of the first `next()`, the latest inner sequence in one that inherits from that |
    /// | how many elements? | all of an inner sequence until the next element of the base comes; from then on none of it, also if it ignores its cancellation, which holds up nothing |
    /// | lost, repeated, reordered? | only what stands above is lost; nothing is repeated or reordered |
    /// | a slow reader | what the latest inner sequence delivers waits for it, all of it. What waits of a replaced one is dropped: no reader is shown what is no longer wanted |
    /// | cost | the two tasks; an element costs an allocation, a lock and at most one wake-up |
    /// | end | when the base has ended and the latest inner sequence too. What either throws ends the other, and is thrown to the reader after what was delivered before it; then `nil` |
    /// | cancelling, `break` | cancels both tasks; a reading task that is cancelled gets `nil` at once. What ignores its cancellation is no longer heard |
    /// | isolation | the reader keeps its own; `transform` is called in the task of the base |
    ///
    /// - Parameter transform: Makes the inner sequence, when the one before it has been cancelled.
    public func flatMapLatest<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> FlatMapLatestSequence<Self, Inner> {
        FlatMapLatestSequence(base: self, transform: transform)
    }

    /// The same where neither the base nor the inner sequences can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func flatMapLatest<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> NeverFailingSequence<FlatMapLatestSequence<Self, Inner>> where Failure == Never, Inner.Failure == Never {
        NeverFailingSequence(FlatMapLatestSequence(base: self, transform: transform))
    }
}

/// The sequence that `flatMapLatest` and `switchToLatest` return.
public struct FlatMapLatestSequence<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>: AsyncSequence,
    Sendable
where Base.Element: Sendable, Inner.Element: Sendable {
    @usableFromInline let base: Base
    @usableFromInline let transform: @Sendable (Base.Element) -> Inner

    /// What the inner sequences deliver.
    public typealias Element = Inner.Element

    /// Begins an iteration. Nothing runs before its first `next()`.
    @inlinable public func makeAsyncIterator() -> FlatMapIterator<Base, Inner> {
        FlatMapIterator(run: .reading(base, .latest, through: transform))
    }
}
