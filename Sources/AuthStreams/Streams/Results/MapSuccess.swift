extension AsyncSequence where Element: ResultElement {
    /// Changes each success; failures pass.
    ///
    /// ```
    /// base      ok(1) ─── failed ─── ok(2) ───|
    /// result    ok(10) ── failed ─── ok(20) ──|      mapSuccess { $0 * 10 }
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | with its base; it does nothing by itself |
    /// | where does it run? | in the task that iterates |
    /// | how many elements? | one for each of the base, in order, at once |
    /// | a slow reader | is the base's matter: nothing is kept here |
    /// | cost | the call of `transform`; no allocation |
    /// | end | the base's; it throws what the base throws, and nothing else |
    /// | cancelling, `break` | is the base's matter |
    /// | isolation | the reader's own |
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) -> New
    ) -> ResultMapSequence<Self, Result<New, Element.Failure>> {
        ResultMapSequence(self) { $0.result.map(transform) }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Changes each success; what is thrown makes it a failure, as ``AuthError/init(wrapping:)`` says.
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) throws -> New
    ) -> ResultMapSequence<Self, Result<New, AuthError>> {
        ResultMapSequence(self) { element in
            element.result.flatMap { value in
                do { return .success(try transform(value)) } catch { return .failure(AuthError(wrapping: error)) }
            }
        }
    }
}
