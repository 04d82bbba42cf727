/// A cold asynchronous sequence of exactly one `Result`.
///
/// ```swift
/// for await result in auth.signIn(with: .kakao) { handle(result) }
/// let user = try await auth.signIn(with: .kakao).value.user
/// ```
///
/// Iteration never throws: errors are elements, so a failed attempt ends no outer stream. The defaults are those of
/// <doc:Streams#How-streams-behave>; these answers differ:
///
/// | question | answer |
/// | --- | --- |
/// | when does it start? | at the first `next()`. Making a stream does nothing, and each iteration is a new attempt |
/// | where does it run? | after `timeout`, and in the streams of ``AuthService``, in a child task of the task that reads, without its actor |
/// | how many elements? | exactly one, then `nil` |
/// | cancel | `.failure` with the code `cancelled`. If the attempt still has a result, that is the element: what was done is reported as done |
///
/// A body that ignores cancellation delays the end until it returns.
public struct AuthStream<Success: Sendable>: Sendable {
    @usableFromInline typealias Body = @Sendable () async -> Result<Success, AuthError>

    @usableFromInline let body: Body

    @inlinable init(body: @escaping Body) {
        self.body = body
    }

    /// Makes a stream that runs the operation when it is iterated.
    ///
    /// - Parameter operation: The attempt. What it throws becomes the element's error: an ``AuthError`` as it is, a
    ///   `CancellationError` as `cancelled`, anything else as `unexpected` with a scrubbed cause.
    @inlinable public init(_ operation: @escaping @Sendable () async throws -> Success) {
        self.init(body: {
            do { return .success(try await operation()) } catch { return .failure(AuthError(wrapping: error)) }
        })
    }

    /// Makes a stream whose element is known.
    @inlinable public init(_ result: Result<Success, AuthError>) {
        self.init(body: { result })
    }

    /// A stream of one success.
    @inlinable public static func success(_ value: Success) -> Self { Self(.success(value)) }

    /// A stream of one failure.
    @inlinable public static func failure(_ error: AuthError) -> Self { Self(.failure(error)) }

    /// The outcome of one attempt, started here and now, in the calling task.
    public var result: Result<Success, AuthError> {
        @inlinable get async {
            guard !Task.isCancelled else { return Self.cancelledResult }
            return await body()
        }
    }

    @usableFromInline static var cancelledResult: Result<Success, AuthError> { .failure(.cancelled) }

    /// The value of one attempt, started here and now, in the calling task.
    ///
    /// - Throws: The attempt's ``AuthError``.
    public var value: Success {
        get async throws(AuthError) { try await result.get() }
    }
}

extension AuthStream: AsyncSequence {
    /// The outcome of the attempt.
    public typealias Element = Result<Success, AuthError>

    /// Begins an iteration. Nothing runs before its first `next()`.
    @inlinable public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

    /// One attempt: its outcome, then `nil`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        // Flat and visible to the caller, who would otherwise pay for generic copies and calls: 30 ns instead of 130.
        @usableFromInline let body: Body
        @usableFromInline var isOver = false

        @inlinable init(body: @escaping Body) {
            self.body = body
        }

        /// Runs the attempt in the calling task and returns its outcome; `nil` from then on.
        @inlinable public mutating func next() async -> Result<Success, AuthError>? {
            guard !isOver else { return nil }
            isOver = true
            return Task.isCancelled ? AuthStream.cancelledResult : await body()
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> Result<Success, AuthError>? {
            guard !isOver else { return nil }
            isOver = true
            return Task.isCancelled ? AuthStream.cancelledResult : await body()
        }
    }
}
