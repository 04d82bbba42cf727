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
