extension AsyncSequence where Element: ResultElement {
    /// Changes each failure; successes pass.
    ///
    /// ```
    /// base      ok(1) ─── failed(timedOut) ─── ok(2) ──|
    /// result    ok(1) ─── failed(slow) ─────── ok(2) ──|      mapFailure { _ in .slow }
    /// ```
    ///
    /// Everything ``mapSuccess(_:)-…`` says of itself holds.
    @inlinable public func mapFailure<New: Error>(
        _ transform: @escaping @Sendable (Element.Failure) -> New
    ) -> ResultMapSequence<Self, Result<Element.Success, New>> {
        ResultMapSequence(self) { $0.result.mapError(transform) }
    }
}
