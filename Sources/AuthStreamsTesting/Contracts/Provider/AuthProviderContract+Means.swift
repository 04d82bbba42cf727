import AuthStreams

extension AuthProviderContract {
    /// The promise that the others about means depend on.
    static let everyMeans = "each of its means gets a credential"

    /// The means that a request names is the one that is used.
    static let meansChecks = [
        ContractCheck<Self>("unknown means are refused before anything is shown") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            try trial.requireSeveralMeans()
            let result = await trial.attempt(AuthRequest(means: "no-such-means"))
            findings.expect(
                result.code == .unsupportedProvider, "an error with code 'unsupportedProvider'",
                saw: "saw \(ContractFindings.words(for: result))")
            let contacts = trial.witness.contacts.count
            findings.expect(contacts == 0, "no contact with anyone", saw: "there were \(contacts)")
        },
        ContractCheck<Self>(everyMeans) { contract, findings in
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
        ContractCheck<Self>("the means that was named is used, and no other") { contract, findings in
            try await ProviderTrial(contract, .approves).requireSeveralMeans()
            for request in try await ProviderTrial(contract, .approves).requests {
                let trial = try await ProviderTrial(contract, .approves)
                _ = try ProviderTrial.credential(of: await trial.attempt(request), base: everyMeans)
                let used = Set(trial.witness.contacts.compactMap(\.self))
                findings.expect(
                    used == Set([request.means].compactMap(\.self)), "contact\(request.words) alone",
                    saw: used.isEmpty ? "the witness was told of no means" : "saw \(used.map(\.rawValue).sorted())")
            }
        },
    ]
}
