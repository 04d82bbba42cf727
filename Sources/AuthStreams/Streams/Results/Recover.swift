extension AsyncSequence where Element: ResultElement {
    /// Tries something else after each failure; successes pass.
    @inlinable public func recover(
        _ rescue: @escaping @Sendable (Element.Failure) async -> Result<Element.Success, Element.Failure>
    ) -> ResultStepSequence<Self, Result<Element.Success, Element.Failure>> {
        ResultStepSequence(self) { element in
            let result = element.result
            guard case .failure(let error) = result, !Task.isCancelled else { return result }
            return await rescue(error)
        }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Tries something else after each failure; what it throws is the new failure.
    @inlinable public func recover(
        _ rescue: @escaping @Sendable (AuthError) async throws -> Element.Success
    ) -> ResultStepSequence<Self, Result<Element.Success, AuthError>> {
        ResultStepSequence(self) { element in
            let result = element.result
            guard case .failure(let error) = result, !Task.isCancelled else { return result }
            do { return .success(try await rescue(error)) } catch { return .failure(AuthError(wrapping: error)) }
        }
    }
}
