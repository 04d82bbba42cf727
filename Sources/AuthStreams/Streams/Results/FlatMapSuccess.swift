extension AsyncSequence where Element: ResultElement {
    /// Goes on with the next step after each success; failures pass.
    @inlinable public func flatMapSuccess<New>(
        _ next: @escaping @Sendable (Element.Success) async -> Result<New, Element.Failure>
    ) -> ResultStepSequence<Self, Result<New, Element.Failure>> {
        ResultStepSequence(self) { element in
            switch element.result {
            case .success(let value): await next(value)
            case .failure(let error): .failure(error)
            }
        }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Goes on with the next step after each success; what it throws makes it a failure, as
    /// ``AuthError/init(wrapping:)`` says.
    @inlinable public func flatMapSuccess<New>(
        _ next: @escaping @Sendable (Element.Success) async throws -> New
    ) -> ResultStepSequence<Self, Result<New, AuthError>> {
        ResultStepSequence(self) { element in
            switch element.result {
            case .success(let value):
                do { return .success(try await next(value)) } catch { return .failure(AuthError(wrapping: error)) }
            case .failure(let error): return .failure(error)
            }
        }
    }

    /// Goes on with an attempt after each success: its result is the element.
    @inlinable public func flatMapSuccess<New: Sendable>(
        _ next: @escaping @Sendable (Element.Success) -> AuthStream<New>
    ) -> ResultStepSequence<Self, Result<New, AuthError>> {
        ResultStepSequence(self) { element in
            switch element.result {
            case .success(let value): await next(value).result
            case .failure(let error): .failure(error)
            }
        }
    }
}
