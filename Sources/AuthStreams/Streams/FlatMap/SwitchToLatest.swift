extension AsyncSequence where Self: Sendable, Element: AsyncSequence & Sendable, Element.Element: Sendable {
    /// Delivers what the newest of its sequences delivers: `flatMapLatest` for elements that are sequences already.
    ///
    /// ```
    /// base      a ─────────── b ──────────────────────────▶
    /// a         ╰── 1 ── 2 ── ✕                             cancelled; what it still says is not heard
    /// b                       ╰── 3 ──────── 4 ── |
    /// result    ─── 1 ── 2 ────── 3 ──────── 4 ───────────▶
    /// ```
    ///
    /// `choices.map(f).switchToLatest()` is `choices.flatMapLatest(f)`, and the answers are the same.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | at the first `next()`; each iterator has a run of its own, and joins the base where it is made |
    /// | where does it run? | the base in a task of its own with the priority and task-locals of the first `next()`, its newest element in another that inherits from that |
    /// | how many elements? | all of a sequence until the base delivers the next one; from then on none of it, also if it ignores its cancellation, which holds up nothing |
    /// | lost, repeated, reordered? | only what stands above is lost; nothing is repeated or reordered |
    /// | a slow reader | what the newest sequence delivers waits for it, all of it. What waits of a replaced one is dropped |
    /// | cost | the two tasks; an element costs an allocation, a lock and at most one wake-up |
    /// | end | when the base has ended and its newest element too. What either throws ends the other, and is thrown to the reader after what was delivered before it; then `nil` |
    /// | cancelling, `break` | cancels both tasks; a reading task that is cancelled gets `nil` at once. What ignores its cancellation is no longer heard |
    /// | isolation | the reader keeps its own |
    public func switchToLatest() -> FlatMapLatestSequence<Self, Element> { flatMapLatest { $0 } }

    /// The same where neither the base nor its elements can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func switchToLatest() -> NeverFailingSequence<FlatMapLatestSequence<Self, Element>>
    where Failure == Never, Element.Failure == Never {
        flatMapLatest { $0 }
    }
}
