extension AuthRequest {
    /// The same request for an operation of a use case, which hears of steps and warnings first.
    ///
    /// - Parameters:
    ///   - steps: Notes the step of the operation.
    ///   - prepare: Asks the repository.
    func serving<Subject>(
        _ operation: Operation<Subject>, of manager: SessionManager,
        reaching steps: @escaping @Sendable (AuthState.SignInStep) -> Void,
        preparing prepare: @escaping @Sendable (Preparation) async throws -> AuthJSON
    ) -> AuthRequest {
        var request = self
        request.onStep = { [onStep] step in
            steps(step)
            onStep(step)
        }
        request.onWarning = { [onWarning] error in
            manager.warn(of: error, in: operation)
            onWarning(error)
        }
        request.prepare = prepare
        request.prompter = manager.prompter(in: operation, reaching: steps)
        request.keepProfile = { _ = await PendingProfiles(manager: manager).attach(to: $0) }
        return request
    }

    /// Lets the provider store its attempt, so that a later process can resume it.
    mutating func keepAttempts(for intent: PendingAttempts.Intent, in manager: SessionManager) {
        keepAttempt = { await PendingAttempts(manager: manager).keep($0, for: intent) }
        keepLink = { await PendingAttempts(manager: manager).keep(linkTo: $0, for: intent) }
    }
}
