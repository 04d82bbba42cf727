public import AuthStreams

/// Reports each step of one attempt as it begins, and adds the step to every error.
public struct ProgressReporter: Sendable {
    private let provider: ProviderID
    private let onStep: @Sendable (AuthState.SignInStep) -> Void

    /// Makes the reporter of one attempt.
    ///
    /// - Parameters:
    ///   - provider: The provider that errors name.
    ///   - request: The attempt's request, which receives the steps.
    public init(of provider: ProviderID, reportingTo request: AuthRequest) {
        self.provider = provider
        onStep = request.onStep
    }

    /// Runs one step, unless the task is already cancelled.
    ///
    /// - Throws: The body's error, as an `AuthError` with provider and step.
    @inline(never)  // Not repeated in each of its callers.
    public func run<Value>(
        _ step: AuthState.SignInStep, _ body: () async throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            try Task.checkCancellation()
            onStep(step)
            return try await body()
        } catch {
            throw AuthError(wrapping: error).located(provider: provider, step: step)
        }
    }
}
