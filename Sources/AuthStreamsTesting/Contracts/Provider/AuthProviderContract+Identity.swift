import AuthStreams

extension AuthProviderContract {
    /// The promise that most others depend on.
    static let agreement = "a person who agrees gets a credential"

    /// The provider's identifier, and its credential.
    static let identity = [
        ContractCheck<Self>("its id stays the same") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            var ids = [trial.provider.id, trial.provider.id]
            _ = await trial.attempt()
            ids.append(trial.provider.id)
            findings.expect(Set(ids).count == 1, "one id", saw: "saw \(Set(ids).count) of them")
        },
        ContractCheck<Self>("it names its method kinds, each once and always the same") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            let kinds = trial.provider.methodKinds
            findings.expect(!kinds.isEmpty, "at least one method kind", saw: "there is none")
            findings.expect(
                Set(kinds).count == kinds.count, "each method kind once", saw: "saw \(kinds.map(\.rawValue))")
            _ = await trial.attempt()
            let later = trial.provider.methodKinds
            findings.expect(
                later == kinds, "the same method kinds later: \(kinds.map(\.rawValue))",
                saw: "saw \(later.map(\.rawValue))")
        },
        ContractCheck<Self>(agreement) { contract, findings in
            findings.stage("waiting for an attempt whose person agrees")
            let result = await (try ProviderTrial(contract, .approves)).attempt()
            findings.expect("a credential", of: result)
        },
        ContractCheck<Self>("a credential names its provider") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            let id = trial.provider.id
            let named = try await trial.credential().provider
            findings.expect(named == id, "a credential of '\(id)'", saw: "it is of '\(named)'")
        },
        ContractCheck<Self>("a credential holds a proof") { contract, findings in
            let credential = try await ProviderTrial(contract, .approves).credential()
            findings.expect(
                credential.proofs.contains { !$0.isEmpty }, "an ID token, access token or code", saw: "there is none")
        },
    ]
}

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

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

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
