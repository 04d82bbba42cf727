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
    /// - Parameter transform: Is given the value of each success.
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) -> New
    ) -> ResultMapSequence<Self, Result<New, Element.Failure>> {
        ResultMapSequence(self) { $0.result.map(transform) }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Changes each success with a function that may throw; else as without throwing.
    ///
    /// - Parameter transform: What it throws becomes the element's failure, as ``AuthError/init(wrapping:)`` says.
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
