extension AsyncSequence where Element: ResultElement {
    /// Tries something else after each failure; successes pass.
    ///
    /// ```
    /// base      ok(a) ─── failed ───────── ok(b) ──|
    /// rescue              ╰───── ok(c)
    /// result    ok(a) ────────── ok(c) ─── ok(b) ──|
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | when its base does; it begins nothing by itself |
    /// | where does it run? | in the task that iterates |
    /// | how many elements? | one for each of the base |
    /// | lost, repeated, reordered? | never |
    /// | a slow reader | is a slow reader of the base: nothing is kept here |
    /// | cost | the call of `rescue`; no allocation, no task |
    /// | end | the base's; what the base throws is thrown |
    /// | cancelling, `break` | as the base says; in a cancelled task a failure passes without `rescue` being asked |
    /// | isolation | the reader's own; none before iOS 18 and macOS 15 |
    ///
    /// - Parameter rescue: Returns the failure when there is nothing to rescue.
    @inlinable public func recover(
        _ rescue: @escaping @Sendable (Element.Failure) async -> Result<Element.Success, Element.Failure>
    ) -> ResultFlatMapSequence<Self, Result<Element.Success, Element.Failure>> {
        ResultFlatMapSequence(self) { element in
            let result = element.result
            guard case .failure(let error) = result, !Task.isCancelled else { return result }
            return await rescue(error)
        }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Tries something else after each failure, which may throw; else as without throwing.
    ///
    /// - Parameter rescue: Throws the same or another error when there is nothing to rescue.
    @inlinable public func recover(
        _ rescue: @escaping @Sendable (AuthError) async throws -> Element.Success
    ) -> ResultFlatMapSequence<Self, Result<Element.Success, AuthError>> {
        ResultFlatMapSequence(self) { element in
            let result = element.result
            guard case .failure(let error) = result, !Task.isCancelled else { return result }
            do { return .success(try await rescue(error)) } catch { return .failure(AuthError(wrapping: error)) }
        }
    }
}
