extension AsyncSequence where Element: ResultElement {
    /// The values of the successes; the first failure is thrown and is the end.
    ///
    /// ```
    /// base      ok(1) ─── ok(2) ─── failed ─── ok(3) ──|
    /// result    1 ─────── 2 ─────── ✕                        thrown; the base is not read further
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    @inlinable public var values: ValuesSequence<Self> { ValuesSequence(self) }
}

/// The sequence that `values` returns.
public struct ValuesSequence<Base: AsyncSequence>: AsyncSequence where Base.Element: ResultElement {
    @usableFromInline let base: Base

    /// The value of a success of the base.
    public typealias Element = Base.Element.Success

    @inlinable init(_ base: Base) { self.base = base }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator
        @usableFromInline var hasFailed = false

        @inlinable init(base: Base.AsyncIterator) { self.base = base }

        /// The value of the base's next element; `nil` at its end, and after a failure.
        @concurrent @inlinable public mutating func next() async throws -> Element? {
            guard !hasFailed, let element = try await base.next() else { return nil }
            return try value(of: element)
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            guard !hasFailed, let element = try await base.next(isolation: actor) else { return nil }
            return try value(of: element)
        }

        @inlinable mutating func value(of element: Base.Element) throws -> Element {
            switch element.result {
            case .success(let value): return value
            case .failure(let error):
                hasFailed = true
                throw error
            }
        }
    }
}

extension ValuesSequence: Sendable where Base: Sendable {}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Element: ResultElement, Failure == Never {
    /// The values of the successes; the first failure is thrown with its type, because nothing else can be thrown.
    ///
    /// ```swift
    /// do throws(AuthError) {
    ///     for try await user in auth.signIn(with: .kakao).values { greet(user) }
    /// } catch { show(error) }
    /// ```
    ///
    /// ```
    /// base      ok(1) ─── ok(2) ─── failed ─── ok(3) ──|
    /// result    1 ─────── 2 ─────── ✕                        thrown; the base is not read further
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    @inlinable public var values: TypedValuesSequence<Self> { TypedValuesSequence(self) }
}

/// The sequence that `values` returns where a failure is all that can be thrown.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
public struct TypedValuesSequence<Base: AsyncSequence>: AsyncSequence
where Base.Element: ResultElement, Base.Failure == Never {
    @usableFromInline let base: Base

    /// The value of a success of the base.
    public typealias Element = Base.Element.Success

    @inlinable init(_ base: Base) { self.base = base }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator
        @usableFromInline var hasFailed = false

        @inlinable init(base: Base.AsyncIterator) { self.base = base }

        /// The value of the base's next element; `nil` at its end, and after a failure.
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Element.Failure) -> Element? {
            guard !hasFailed, let element = await base.next(isolation: actor) else { return nil }
            switch element.result {
            case .success(let value): return value
            case .failure(let error):
                hasFailed = true
                throw error
            }
        }
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension TypedValuesSequence: Sendable where Base: Sendable {}
