/// The end of an attempt, for an API that calls back: hand it to the closure or delegate that gets the answer.
///
/// It resolves its stream at most once; a later call is ignored and counted. If it is released without a call, the stream
/// ends with ``AuthError/Code/abandoned``. An object that this callback keeps alive and that holds the callback in turn
/// prevents that, so bridges have a time limit as well.
public final class AuthCallback<Success: Sendable>: Sendable {
    /// The part that outlives the callback: the stream that waits, and the objects that live until it ends.
    final class Attempt: Sendable {
        private struct Holdings {
            var kept: [any AnyObject & Sendable] = []
            var cancelHandlers: [@Sendable () -> Void] = []
            var ignoredCalls = 0
            var end: End?
        }

        private enum End {
            case resolved
            case cancelled
        }

        let outcome = Promise<Result<Success, AuthError>>()
        private let holdings = Lock(Holdings())

        var isOver: Bool { outcome.current != nil }
        var ignoredCalls: Int { holdings.withLock { $0.ignoredCalls } }

        /// Resolves the stream and releases the objects kept for it.
        func resolve(_ result: Result<Success, AuthError>) {
            if outcome.resolve(result) { end(.resolved) } else { holdings.withLock { $0.ignoredCalls += 1 } }
        }

        /// Ends the attempt because its task was cancelled, unless it has a result already.
        func cancel() {
            guard outcome.resolve(.failure(.cancelled)) else { return }
            for handler in end(.cancelled).cancelHandlers { handler() }
        }

        func onCancel(_ handler: @escaping @Sendable () -> Void) {
            let end = holdings.withLock { holdings in
                if holdings.end == nil { holdings.cancelHandlers.append(handler) }
                return holdings.end
            }
            if end == .cancelled { handler() }
        }

        func keepAlive(_ object: any AnyObject & Sendable) {
            holdings.withLock { if $0.end == nil { $0.kept.append(object) } }
        }

        /// - Returns: The objects to release outside the lock, because a `deinit` may call back.
        @discardableResult
        private func end(_ end: End) -> Holdings {
            holdings.withLock { holdings in
                defer {
                    holdings.kept = []
                    holdings.cancelHandlers = []
                    holdings.end = end
                }
                return holdings
            }
        }
    }

    private let attempt: Attempt

    init(_ attempt: Attempt) {
        self.attempt = attempt
    }

    deinit {
        guard !attempt.isOver else { return }
        attempt.resolve(
            .failure(AuthError(.abandoned, "The callback was released without a call. Call it exactly once.")))
    }

    /// Ends the attempt with a value.
    public func succeed(_ value: Success) { attempt.resolve(.success(value)) }

    /// Ends the attempt with an error, which passes ``AuthError/init(wrapping:)``.
    public func fail(_ error: any Error) { attempt.resolve(.failure(AuthError(wrapping: error))) }

    /// Keeps an object, such as a delegate, alive until the attempt ends.
    public func keepAlive(_ object: any AnyObject & Sendable) { attempt.keepAlive(object) }

    /// Runs the handler when the attempt is cancelled or its time is up, so that the other side can be told to stop.
    ///
    /// It runs once, on any thread; at once when the attempt was cancelled already.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { attempt.onCancel(handler) }

    /// How many calls came after the attempt had ended.
    public var ignoredCalls: Int { attempt.ignoredCalls }
}

extension AuthStream {
    /// Makes a stream over an API that calls back.
    ///
    /// ```swift
    /// AuthStream.callback { callback in
    ///     vendor.logIn { token, error in
    ///         if let token { callback.succeed(token) } else { callback.fail(error ?? VendorError.unknown) }
    ///     }
    /// }
    /// ```
    ///
    /// The stream has exactly one element, however the other side behaves: a cancelled task ends it at once.
    /// With a time limit `start` is called in a child task, without the caller's actor.
    ///
    /// - Parameters:
    ///   - timeLimit: How long the other side may take before the stream ends with `timedOut`; `nil` for no limit.
    ///   - clock: The clock that measures it.
    ///   - start: Begins the operation and returns. What it throws ends the stream.
    public static func callback(
        timeLimit: Duration? = .seconds(600), clock: any Clock<Duration> = ContinuousClock(),
        _ start: @escaping @Sendable (AuthCallback<Success>) throws -> Void
    ) -> AuthStream {
        bridged(timeLimit, clock) { try start($0) }
    }

    /// Makes a stream over an API that calls back and must be called on the main actor.
    ///
    /// - Parameters:
    ///   - timeLimit: How long the other side may take before the stream ends with `timedOut`; `nil` for no limit.
    ///   - clock: The clock that measures it.
    ///   - start: Begins the operation and returns. What it throws ends the stream.
    public static func mainActorCallback(
        timeLimit: Duration? = .seconds(600), clock: any Clock<Duration> = ContinuousClock(),
        _ start: @escaping @MainActor @Sendable (AuthCallback<Success>) throws -> Void
    ) -> AuthStream {
        bridged(timeLimit, clock) { callback in try await MainActor.run { try start(callback) } }
    }

    private static func bridged(
        _ timeLimit: Duration?, _ clock: any Clock<Duration>,
        _ start: @escaping @Sendable (AuthCallback<Success>) async throws -> Void
    ) -> AuthStream {
        let stream = AuthStream(body: {
            let attempt = AuthCallback<Success>.Attempt()
            await begin(AuthCallback(attempt), start)
            // Of a result and a cancellation that race, the attempt keeps whichever was first.
            if let outcome = await attempt.outcome.value() { return outcome }
            attempt.cancel()
            return attempt.outcome.current ?? .failure(.cancelled)
        })
        return timeLimit.map { stream.timeout($0, clock: clock) } ?? stream
    }
    // A function of its own, so that the bridge itself holds no reference to the callback while it waits.
    private static func begin(
        _ callback: AuthCallback<Success>, _ start: @Sendable (AuthCallback<Success>) async throws -> Void
    ) async {
        do { try await start(callback) } catch { callback.fail(error) }
    }
}
