extension AsyncSequence where Element: ResultElement {
    /// Runs a step after each success; failures pass.
    ///
    /// One step at a time: the base's next element is requested after the step has returned. To cancel a step when the next
    /// element comes, use `flatMapLatest`; to ignore elements while it runs, `flatMapFirst`.
    ///
    /// ```
    /// base      ok(a) ─────────── failed ─ ok(b) ───────────|
    /// next      ╰──── ok(A)                ╰──── failed
    /// result    ───── ok(A) ───── failed ─────── failed ────|
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says. In a cancelled task `next` is still called, and
    /// decides itself whether there is something to save.
    ///
    /// - Parameter next: Receives the value of each success.
    @inlinable public func flatMapSuccess<New>(
        _ next: @escaping @Sendable (Element.Success) async -> Result<New, Element.Failure>
    ) -> ResultFlatMapSequence<Self, Result<New, Element.Failure>> {
        ResultFlatMapSequence(self) { element in
            switch element.result {
            case .success(let value): await next(value)
            case .failure(let error): .failure(error)
            }
        }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// The same for steps that return a result. Without this overload, the one that throws would wrap the result.
    @inlinable public func flatMapSuccess<New>(
        _ next: @escaping @Sendable (Element.Success) async -> Result<New, AuthError>
    ) -> ResultFlatMapSequence<Self, Result<New, AuthError>> {
        ResultFlatMapSequence(self) { element in
            switch element.result {
            case .success(let value): await next(value)
            case .failure(let error): .failure(error)
            }
        }
    }

    /// Runs a step that may throw after each success; otherwise as without throwing.
    ///
    /// - Parameter next: What it throws becomes the element's failure, as ``AuthError/init(wrapping:)`` says.
    @inlinable public func flatMapSuccess<New>(
        _ next: @escaping @Sendable (Element.Success) async throws -> New
    ) -> ResultFlatMapSequence<Self, Result<New, AuthError>> {
        ResultFlatMapSequence(self) { element in
            switch element.result {
            case .success(let value):
                do { return .success(try await next(value)) } catch { return .failure(AuthError(wrapping: error)) }
            case .failure(let error): return .failure(error)
            }
        }
    }

    /// Runs an attempt after each success, whose result is the element: `taps.flatMapSuccess(signIn.callAsFunction)`.
    ///
    /// One attempt at a time, otherwise as with a function. In a cancelled task the attempt does not start: `cancelled`.
    ///
    /// - Parameter next: Makes the attempt for the value of a success.
    @inlinable public func flatMapSuccess<New: Sendable>(
        _ next: @escaping @Sendable (Element.Success) -> AuthStream<New>
    ) -> ResultFlatMapSequence<Self, Result<New, AuthError>> {
        ResultFlatMapSequence(self) { element in
            switch element.result {
            case .success(let value): await next(value).result
            case .failure(let error): .failure(error)
            }
        }
    }
}
