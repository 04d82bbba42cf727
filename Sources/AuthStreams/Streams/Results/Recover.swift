extension AsyncSequence where Element: ResultElement {
    /// Runs another step after each failure; successes pass.
    ///
    /// ```
    /// base      ok(a) ─── failed ───────── ok(b) ──|
    /// rescue              ╰───── ok(c)
    /// result    ok(a) ────────── ok(c) ─── ok(b) ──|
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says. In a cancelled task a failure passes, and `rescue`
    /// is not called.
    ///
    /// - Parameter rescue: Returns the failure when it has no value.
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
    /// Runs another step, which may throw, after each failure; otherwise as without throwing.
    ///
    /// - Parameter rescue: Throws the same or another error when it has no value.
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
