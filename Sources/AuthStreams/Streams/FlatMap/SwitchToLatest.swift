extension AsyncSequence where Self: Sendable, Element: AsyncSequence & Sendable, Element.Element: Sendable {
    /// Delivers what the newest of its sequences delivers: `flatMapLatest` for elements that are sequences already.
    ///
    /// ```
    /// base      a ─────────── b ──────────────────────────▶
    /// a         ╰── 1 ── 2 ── ✕                             cancelled; what it still delivers is dropped
    /// b                       ╰── 3 ──────── 4 ── |
    /// result    ─── 1 ── 2 ────── 3 ──────── 4 ───────────▶
    /// ```
    ///
    /// `choices.map(f).switchToLatest()` is `choices.flatMapLatest(f)`, and behaves alike.
    public func switchToLatest() -> FlatMapLatestSequence<Self, Element> { flatMapLatest { $0 } }

    /// The same where neither the base nor its elements can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func switchToLatest() -> NeverFailingSequence<FlatMapLatestSequence<Self, Element>>
    where Failure == Never, Element.Failure == Never {
        flatMapLatest { $0 }
    }
}
