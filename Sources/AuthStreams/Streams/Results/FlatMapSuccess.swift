extension AsyncSequence where Element: ResultElement {
    /// Goes on with the next step after each success; failures pass.
    ///
    /// One step at a time: the base is asked for its next element when the step has returned. To give up a step when the
    /// next element comes, use `flatMapLatest`; to ignore elements meanwhile, `flatMapFirst`.
    ///
    /// ```
    /// base      ok(a) ─────────── failed ─ ok(b) ───────────|
    /// next      ╰──── ok(A)                ╰──── failed
    /// result    ───── ok(A) ───── failed ─────── failed ────|
    /// ```
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | when does it start? | when its base does; it begins nothing by itself |
    /// | where does it run? | in the task that iterates |
    /// | how many elements? | one for each of the base |
    /// | lost, repeated, reordered? | never |
    /// | a slow reader | is a slow reader of the base: nothing is kept here |
    /// | cost | the call of `next`; no allocation, no task |
    /// | end | the base's; what the base throws is thrown |
    /// | cancelling, `break` | as the base says; the step sees the cancellation of its task and decides itself whether there is something to save |
    /// | isolation | the reader's own; none before iOS 18 and macOS 15 |
    ///
    /// - Parameter next: Is given the value of each success.
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
    /// The same for steps whose result is an ``AuthError`` or none: chosen before the one that throws, which would wrap it.
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

    /// Goes on with the next step after each success, which may throw; else as without throwing.
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

    /// Goes on with an attempt after each success, whose result is the element: `taps.flatMapSuccess(signIn.callAsFunction)`.
    ///
    /// One attempt at a time, else as with a function. In a cancelled task the attempt does not begin: `cancelled`.
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
