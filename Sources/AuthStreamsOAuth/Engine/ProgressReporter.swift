package import AuthStreams

/// Reports each step of one attempt as it begins, and adds the step to every error.
package struct ProgressReporter: Sendable {
    private let provider: ProviderID
    private let onStep: @Sendable (AuthState.SignInStep) -> Void

    package init(of provider: ProviderID, reportingTo request: AuthRequest) {
        self.provider = provider
        onStep = request.onStep
    }

    /// Runs one step, unless the task is already cancelled.
    ///
    /// - Throws: The body's error, as an ``AuthError`` with provider and step.
    package func run<Value>(
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
