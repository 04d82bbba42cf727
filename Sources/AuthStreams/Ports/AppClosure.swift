import Foundation

/// A closure that the app handed over, asked for something that a request needs: the wait ends whatever the closure does.
package struct AppClosure<Value: Sendable>: Sendable {
    private let name: String
    private let limit: Duration
    private let clock: AuthClock
    private let source: @Sendable () async throws -> Value

    /// - Parameters:
    ///   - name: What the closure is called, for the errors' explanations.
    ///   - limit: How long it may take.
    ///   - clock: Measures that.
    ///   - source: The closure.
    package init(
        _ name: String, limit: Duration, clock: AuthClock, source: @escaping @Sendable () async throws -> Value
    ) {
        self.name = name
        self.limit = limit
        self.clock = clock
        self.source = source
    }

    /// Asks.
    ///
    /// - Throws: What the closure threw, unless only the server may say it; `timedOut` past the limit; `cancelled` as soon as
    ///   this task is cancelled.
    package func value() async throws(AuthError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let outcome = Promise<Result<Value, AuthError>>()
        // Tasks of their own: a child that ignores its cancellation would keep the request waiting for ever.
        let asking = TaskSpawner.start {
            do { outcome.resolve(.success(try await source())) } catch { outcome.resolve(.failure(translated(error))) }
        }
        let watching = TaskSpawner.start {
            // A sleep that was cancelled is no limit that was reached.
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

    /// What the closure threw, as the error of a request that was never sent.
    private func translated(_ error: any Error) -> AuthError {
        if let own = error as? AuthError { return own.ofTheApps(name) }
        // Not `cancelled` for a `CancellationError`: the request's task was not, or nobody would be told of this.
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
