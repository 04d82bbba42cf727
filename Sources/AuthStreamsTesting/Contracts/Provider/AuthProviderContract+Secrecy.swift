import AuthStreams

extension AuthProviderContract {
    /// No secret is shown.
    static let secrecyChecks = [
        ContractCheck<Self>("an error tells no token, code or nonce") { contract, findings in
            for person in [Person.refuses, .turnsBack] {
                let trial = try await ProviderTrial(contract, person)
                findings.stage("waiting for an attempt whose person does not agree")
                var results = [await trial.attempt()]
                if trial.provider.methodKinds != [.standard] {
                    results.append(await trial.attempt(AuthRequest(methodKind: "no-such-kind")))
                }
                let secrets = await contract.secrets()
                guard !secrets.isEmpty else { throw ContractSkip(reason: "the contract was told of no secrets") }
                for case .failure(let error) in results {
                    findings.expect(
                        !RenderedText(error).tells(anyOf: secrets), "nothing secret in an error",
                        saw: "an error with code '\(error.code.rawValue)' tells a secret")
                }
            }
        },
        ContractCheck<Self>("a credential that is printed tells no token, code or nonce") { contract, findings in
            let credential = try await ProviderTrial(contract, .approves).credential()
            let secrets = await contract.secrets() + credential.allSecrets
            findings.expect(
                !RenderedText(credential).tells(anyOf: secrets), "nothing secret outside of `Secret`",
                saw: "userID or profile tells a secret")
        },
    ]
}
