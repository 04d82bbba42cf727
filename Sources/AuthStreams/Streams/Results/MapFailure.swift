extension AsyncSequence where Element: ResultElement {
    /// Changes each failure; successes pass.
    ///
    /// ```
    /// base      ok(1) ─── failed(timedOut) ─── ok(2) ──|
    /// result    ok(1) ─── failed(slow) ─────── ok(2) ──|      mapFailure { _ in .slow }
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | when its base does; it begins nothing by itself |
    /// | where does it run? | in the task that iterates |
    /// | how many elements? | one for each of the base |
    /// | lost, repeated, reordered? | never |
    /// | a slow reader | is a slow reader of the base: nothing is kept here |
    /// | cost | the call of `transform`; no allocation, no task |
    /// | end | the base's; what the base throws is thrown |
    /// | cancelling, `break` | as the base says |
    /// | isolation | the reader's own; none before iOS 18 and macOS 15 |
    ///
    /// - Parameter transform: Is given the error of each failure. It may be turned into another type.
    @inlinable public func mapFailure<New: Error>(
        _ transform: @escaping @Sendable (Element.Failure) -> New
    ) -> ResultMapSequence<Self, Result<Element.Success, New>> {
        ResultMapSequence(self) { $0.result.mapError(transform) }
    }
}
