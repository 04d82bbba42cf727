import Foundation

/// A closure of the app that supplies a value for a request. The wait ends at the limit or on cancellation, even if the
/// closure does not return.
package struct ClosureCall<Value: Sendable>: Sendable {
    private let name: String
    private let limit: Duration
    private let clock: AuthClock
    private let source: @Sendable () async throws -> Value

    /// - Parameters:
    ///   - name: The closure's name, for the errors' explanations.
    ///   - limit: How long it may take.
    ///   - clock: Measures the limit.
    ///   - source: The closure.
    package init(
        _ name: String, limit: Duration, clock: AuthClock, source: @escaping @Sendable () async throws -> Value
    ) {
        self.name = name
        self.limit = limit
        self.clock = clock
        self.source = source
    }

    /// Calls the closure.
    ///
    /// - Throws: The closure's error, unless only the server may decide it; `timedOut` past the limit; `cancelled` as
    ///   soon as this task is cancelled.
    package func value() async throws(AuthError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let outcome = Promise<Result<Value, AuthError>>()
        // Unstructured tasks: a child that ignores its cancellation would keep the request waiting forever.
        let asking = TaskSpawner.start {
            do { outcome.resolve(.success(try await source())) } catch { outcome.resolve(.failure(translated(error))) }
        }
        let watching = TaskSpawner.start {
            // A cancelled sleep did not reach the limit.
            do { try await clock.sleep(for: limit) } catch { return }
            outcome.resolve(.failure(late))
        }
        defer {
            asking.cancel()
            watching.cancel()
        }
        guard let result = await outcome.value() else { throw .cancelled }
        return try result.get()
    }

    /// Returns the closure's error as that of a request that was never sent.
    private func translated(_ error: any Error) -> AuthError {
        if let own = error as? AuthError { return own.attributedToClosure(name) }
        // Not `cancelled` for a `CancellationError`: the request's task was not cancelled, and `cancelled` would hide
        // the failure.
        let isNetwork = (error as NSError).domain == NSURLErrorDomain
        return AuthError(
            isNetwork ? .network : .unexpected,
            "The app's \(name) closure threw, so nothing was sent. Look at the cause, and at how it is set up.",
            cause: error)
    }

    private var late: AuthError {
        AuthError(
            .timedOut,
            "The app's \(name) closure gave no answer within \(limit), so nothing was sent. Try again; if it persists, "
                + "look at how it is set up.")
    }
}
