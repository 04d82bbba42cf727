package import AuthStreams

/// The steps of one attempt: reports each as it begins, and says in every error where it happened.
package struct ProgressReporter: Sendable {
    private let provider: ProviderID
    private let onStep: @Sendable (AuthState.SignInStep) -> Void

    package init(of provider: ProviderID, reportingTo request: AuthRequest) {
        self.provider = provider
        onStep = request.onStep
    }

    /// Runs one step, unless the task is cancelled already.
    ///
    /// - Throws: What the body throws, as an ``AuthError`` with provider and step.
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
