extension AsyncSequence where Element: ResultElement {
    /// Changes each success; failures pass.
    ///
    /// ```
    /// base      ok(1) ─── failed ─── ok(2) ───|
    /// result    ok(10) ── failed ─── ok(20) ──|      mapSuccess { $0 * 10 }
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    ///
    /// - Parameter transform: Receives the value of each success.
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) -> New
    ) -> ResultMapSequence<Self, Result<New, Element.Failure>> {
        ResultMapSequence(self) { $0.result.map(transform) }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Changes each success with a function that may throw; otherwise as without throwing.
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
