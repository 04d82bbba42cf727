import AuthStreams

extension AuthProviderContract {
    /// The promise that the others about method kinds depend on.
    static let everyKind = "each of its method kinds gets a credential"

    /// The kind that a request names is the one that is used.
    static let kindChecks = [
        ContractCheck<Self>("an unknown method kind is refused before anything is shown") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            try trial.requireSeveralKinds()
            let result = await trial.attempt(AuthRequest(methodKind: "no-such-kind"))
            findings.expect(
                result.code == .unsupportedProvider, "an error with code 'unsupportedProvider'",
                saw: "saw \(ContractFindings.words(for: result))")
            let contacts = trial.witness.contacts.count
            findings.expect(contacts == 0, "no contact with anyone", saw: "there were \(contacts)")
        },
        ContractCheck<Self>(everyKind) { contract, findings in
            let requests = try await ProviderTrial(contract, .approves).requests
            var results: [(AuthRequest, Result<Credential, AuthError>)] = []
            for request in requests {
                results.append((request, await (try ProviderTrial(contract, .approves)).attempt(request)))
            }
            let failures = results.filter { !$0.1.isSuccess }
            if failures.count == requests.count, let failure = failures.first {
                _ = try ProviderTrial.credential(of: failure.1)
            }
            for (request, result) in failures {
                findings.add("a credential\(request.words)", saw: "saw \(ContractFindings.words(for: result))")
            }
        },
        ContractCheck<Self>("the method kind that was named is used, and no other") { contract, findings in
            try await ProviderTrial(contract, .approves).requireSeveralKinds()
            for request in try await ProviderTrial(contract, .approves).requests {
                let trial = try await ProviderTrial(contract, .approves)
                _ = try ProviderTrial.credential(of: await trial.attempt(request), base: everyKind)
                let used = Set(trial.witness.contacts.compactMap(\.self))
                findings.expect(
                    used == Set([request.methodKind].compactMap(\.self)), "contact\(request.words) alone",
                    saw: used.isEmpty
                        ? "the witness was told of no method kind" : "saw \(used.map(\.rawValue).sorted())")
            }
        },
    ]
}
