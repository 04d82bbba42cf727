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

    /// A stream of one success.
    @inlinable public static func success(_ value: Success) -> Self { Self(body: { .success(value) }) }

    /// A stream of one failure.
    @inlinable public static func failure(_ error: AuthError) -> Self { Self(body: { .failure(error) }) }

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
        // Flat and visible to the caller, who would otherwise pay for generic copies and calls.
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

// Every operator behaves as the stream that it is applied to: cold, one element, in the task that reads. A step runs only
// after a success, and an operator that is not about time or repetition adds no suspension.

extension AuthStream {
    /// Changes a success.
    ///
    /// - Parameter transform: What it throws becomes the element's error, as ``AuthError/init(wrapping:)`` says.
    public func map<New: Sendable>(_ transform: @escaping @Sendable (Success) throws -> New) -> AuthStream<New> {
        AuthStream<New>(body: {
            // Also in a cancelled task, in which a next step runs as it does without a change of its success.
            await body().flatMap { value in
                do { return .success(try transform(value)) } catch { return .failure(AuthError(wrapping: error)) }
            }
        })
    }

    /// Runs the next step of the chain after a success.
    ///
    /// The step also runs in a cancelled task: it decides itself whether there is something to save.
    ///
    /// - Parameter next: What it throws becomes the element's error, as ``AuthError/init(wrapping:)`` says.
    public func flatMap<New: Sendable>(
        _ next: @escaping @Sendable (Success) async throws -> New
    ) -> AuthStream<New> {
        AuthStream<New>(body: {
            switch await result {
            case .failure(let error): return .failure(error)
            case .success(let value):
                do { return .success(try await next(value)) } catch { return .failure(AuthError(wrapping: error)) }
            }
        })
    }

    /// Runs another stream after a success: `kakao.authenticate().flatMap(signIn.callAsFunction)`.
    public func flatMap<New: Sendable>(
        _ next: @escaping @Sendable (Success) -> AuthStream<New>
    ) -> AuthStream<New> {
        AuthStream<New>(body: {
            switch await result {
            case .failure(let error): .failure(error)
            case .success(let value): await next(value).body()
            }
        })
    }

    /// Changes an error.
    public func mapError(_ transform: @escaping @Sendable (AuthError) -> AuthError) -> AuthStream {
        AuthStream(body: { await body().mapError(transform) })
    }

    /// Runs another step after an error.
    ///
    /// - Parameter rescue: Throws the same or another error when it has no value. It is not called in a cancelled task.
    public func recover(_ rescue: @escaping @Sendable (AuthError) async throws -> Success) -> AuthStream {
        AuthStream(body: {
            let outcome = await result
            guard case .failure(let error) = outcome, !Task.isCancelled else { return outcome }
            do { return .success(try await rescue(error)) } catch { return .failure(AuthError(wrapping: error)) }
        })
    }

    /// Calls a closure with the outcome, which stays as it is.
    public func onResult(_ look: @escaping @Sendable (Result<Success, AuthError>) -> Void) -> AuthStream {
        AuthStream(body: {
            let outcome = await result
            look(outcome)
            return outcome
        })
    }
}

extension AuthStream {
    /// Starts the whole attempt over after errors that may pass: ``AuthError/isRetryable``, except `timedOut` and `abandoned`.
    ///
    /// A sign-in asks the person once more each time, by a page or an app. So `auth.signIn(with:)` repeats the request to the
    /// server automatically and seldom needs this; see ``AuthSignIn``. An attempt that ran out of time or was not finished is not
    /// started over, because the person has just left it.
    ///
    /// Waits what the server asked for (`Retry-After`), a day at most, else 1 s, 2 s, 4 s, … before each further attempt.
    ///
    /// - Parameters:
    ///   - retries: How many further attempts there may be.
    ///   - clock: The clock to wait on.
    /// - Returns: A stream of the first success, or of the last error; `cancelled` when cancelled while waiting.
    public func retry(_ retries: Int, clock: any Clock<Duration> = ContinuousClock()) -> AuthStream {
        AuthStream(body: {
            var outcome = await result
            var backoff = Backoff(of: .attempt(retries: retries))
            while case .failure(let error) = outcome, let pause = backoff.failed(error) {
                do { try await clock.sleep(for: pause) } catch { return .failure(.cancelled) }
                outcome = await result
            }
            return outcome
        })
    }

    /// Ends the attempt with `timedOut` when it takes longer than the limit.
    ///
    /// The attempt runs in a child task, without the caller's actor, and is cancelled at the limit. A success that it still
    /// returns is the element. A body that ignores cancellation delays the end until it returns. The error has the provider and
    /// the step of the error with which the cancelled attempt ended.
    ///
    /// - Parameters:
    ///   - limit: How long the attempt may take.
    ///   - clock: The clock that measures it.
    public func timeout(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) -> AuthStream {
        interrupted {
            // A cancelled sleep has not reached the limit.
            do { try await clock.sleep(for: limit) } catch { return nil }
            return AuthError(.timedOut, "The attempt took longer than \(limit).")
        }
    }
}

extension AuthStream {
    /// The same attempt in a child task, cancelled as soon as the interruption says so.
    ///
    /// A success that the attempt still returns is the element; a failure is replaced by the interruption's error, with the
    /// provider, the operation and the step that the failure names. The attempt is always waited for.
    ///
    /// - Parameter interruption: Waits for the reason to stop. Runs in a child task beside the attempt and is cancelled
    ///   when that ends; `nil` means that there was none.
    package func interrupted(by interruption: @escaping @Sendable () async -> AuthError?) -> AuthStream {
        AuthStream(body: {
            await withTaskGroup(of: Finish<Success>.self) { group in
                group.addTask { .attempt(await body()) }
                group.addTask { .interruption(await interruption()) }
                var reason: AuthError?
                for await finish in group {
                    switch finish {
                    case .interruption(let error):
                        reason = error
                        if error != nil { group.cancelAll() }
                    case .attempt(let outcome):
                        group.cancelAll()
                        return reason.map { outcome.interrupted(by: $0) } ?? outcome
                    }
                }
                return .failure(reason ?? .cancelled)
            }
        })
    }
}

extension AuthStream {
    /// The same attempt, whose errors name the operation. It keeps an object alive from its beginning until it has ended; the
    /// stream itself does not.
    func retaining(_ object: some AnyObject & Sendable, during operation: AuthOperation) -> AuthStream {
        // No capture list: with one, the compiler lets the closure leave its caller's actor, and attempts that were begun one
        // after the other on the main actor could begin in another order.
        let reference = WeakReference(object)
        return AuthStream(body: {
            let object = reference.object
            defer { withExtendedLifetime(object) {} }
            return await body().mapError { $0.during(operation) }
        })
    }
}

extension Result where Success: Sendable, Failure == AuthError {
    /// The same success, or the reason, with the provider, the operation and the step that the failure names.
    fileprivate func interrupted(by reason: AuthError) -> Self {
        mapError { error in
            var interruption = reason.located(provider: error.provider, step: error.step)
            interruption.operation = error.operation
            return interruption
        }
    }
}

/// The end of an attempt or of its interruption.
private enum Finish<Success: Sendable>: Sendable {
    case attempt(Result<Success, AuthError>)
    case interruption(AuthError?)
}

/// An object that is not kept alive. It is never set again, hence unchecked: reading a weak reference is safe on every thread.
struct WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
