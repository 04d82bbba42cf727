import AuthStreams

extension AuthProviderContract {
    /// Attempts in which the person does not agree, or that are cancelled.
    static let answers = [
        ContractCheck<Self>("a person who turns back ends the attempt with cancelled or abandoned") {
            contract, findings in
            findings.stage("waiting for an attempt whose person has turned back")
            let result = await (try ProviderTrial(contract, .turnsBack)).attempt()
            findings.expect(
                [.cancelled, .abandoned].contains(result.code), "an error with code 'cancelled' or 'abandoned'",
                saw: "saw \(ContractFindings.words(for: result))")
        },
        ContractCheck<Self>("a person who refuses ends the attempt with an error") { contract, findings in
            findings.stage("waiting for an attempt whose person has refused")
            let result = await (try ProviderTrial(contract, .refuses)).attempt()
            findings.expect(!result.isSuccess, "an error", saw: "saw a credential")
        },
        ContractCheck<Self>("a cancelled task ends the attempt with cancelled") { contract, findings in
            let trial = try await ProviderTrial(contract, .neverAnswers)
            let result = try await trial.cancelled(findings) { witness in
                await witness.hasBegun()
                return true
            }
            if let result {
                expectCancelled(
                    result, findings, cancelledAt: "the first contact (\(trial.witness.description(of: 1)))")
            }
        },
        ContractCheck<Self>("a task that is cancelled at any contact ends the attempt with cancelled") {
            contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            _ = try await trial.credential()
            for number in 1...max(1, trial.witness.contacts.count) {
                let trial = try await ProviderTrial(contract, .approves)
                trial.witness.hold(number)
                let result = try await trial.cancelled(findings) { await $0.standsStill() }
                guard let result else { continue }
                expectCancelled(
                    result, findings, cancelledAt: "contact \(number) (\(trial.witness.description(of: number)))")
            }
        },
    ]

    private static func expectCancelled(
        _ result: Result<Credential, AuthError>, _ findings: ContractFindings, cancelledAt contact: String
    ) {
        findings.expect(
            result.code == .cancelled, "an error with code 'cancelled' after its task was cancelled at \(contact)",
            saw: """
                saw \(ContractFindings.words(for: result)). What is called there does not end when its task is cancelled, as \
                a transport that ignores cancellation does not
                """)
    }
}

extension ProviderTrial {
    /// Returns the result of an attempt that is cancelled at the given point; `nil` if the wait finds nothing to
    /// cancel.
    fileprivate func cancelled(
        _ findings: ContractFindings, _ wait: (ContractRecorder) async -> Bool
    ) async throws -> Result<Credential, AuthError>? {
        let stream = stream()
        let attempt = Task {
            defer { witness.attemptEnded() }
            return await stream.result
        }
        findings.stage("waiting for an attempt to show or send something; tell the witness of it")
        guard await wait(witness) else { return nil }
        findings.stage("waiting for an attempt whose task was cancelled")
        attempt.cancel()
        return await attempt.value
    }
}

extension Result where Failure == AuthError {
    var code: AuthError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
