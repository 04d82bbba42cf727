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

/// The sequence that `flatMapSuccess` and `recover` return: its base's elements, each passed to a step.
///
/// It has no task and no buffer. It is inlinable, so that no generic call is made for an element.
public struct ResultFlatMapSequence<Base: AsyncSequence, Element>: AsyncSequence {
    @usableFromInline let base: Base
    @usableFromInline let step: @Sendable (Base.Element) async -> Element

    @inlinable init(_ base: Base, _ step: @escaping @Sendable (Base.Element) async -> Element) {
        self.base = base
        self.step = step
    }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), step: step)
    }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator
        @usableFromInline let step: @Sendable (Base.Element) async -> Element

        @inlinable init(base: Base.AsyncIterator, step: @escaping @Sendable (Base.Element) async -> Element) {
            self.base = base
            self.step = step
        }

        /// The base's next element after its step; `nil` when that is `nil`.
        @concurrent @inlinable public mutating func next() async rethrows -> Element? {
            guard let element = try await base.next() else { return nil }
            return await step(element)
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Element? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            return await step(element)
        }
    }
}

extension ResultFlatMapSequence: Sendable where Base: Sendable {}
