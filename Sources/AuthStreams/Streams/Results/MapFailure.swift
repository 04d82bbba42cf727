extension AsyncSequence where Element: ResultElement {
    /// Changes each failure; successes pass.
    ///
    /// ```
    /// base      ok(1) ─── failed(timedOut) ─── ok(2) ──|
    /// result    ok(1) ─── failed(slow) ─────── ok(2) ──|      mapFailure { _ in .slow }
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    ///
    /// - Parameter transform: Receives the error of each failure. It may return another type.
    @inlinable public func mapFailure<New: Error>(
        _ transform: @escaping @Sendable (Element.Failure) -> New
    ) -> ResultMapSequence<Self, Result<Element.Success, New>> {
        ResultMapSequence(self) { $0.result.mapError(transform) }
    }
}
