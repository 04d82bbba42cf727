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
