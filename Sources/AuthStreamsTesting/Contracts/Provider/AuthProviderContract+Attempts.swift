import AuthStreams

extension AuthProviderContract {
    /// The start of an attempt, and its independence from others.
    static let attempts = [
        ContractCheck<Self>("nothing is shown or sent before the stream is iterated") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            let stream = trial.stream()
            // A provider that starts too early has the time of another whole attempt to do so.
            _ = await (try ProviderTrial(contract, .approves)).attempt()
            let contacts = trial.witness.contacts.count
            findings.expect(contacts == 0, "no contact with anyone", saw: "there were \(contacts)")
            _ = stream
        },
        ContractCheck<Self>("each iteration is an attempt of its own") { contract, findings in
            let trial = try await ProviderTrial(contract, .approves)
            let stream = trial.stream()
            let first = try ProviderTrial.credential(of: await stream.result)
            let contacts = trial.witness.contacts.count
            let second = try ProviderTrial.credential(of: await stream.result)
            findings.expect(
                trial.witness.contacts.count > contacts, "the person to be asked again", saw: "they were not")
            expectNothingShared(first, second, findings)
        },
        ContractCheck<Self>("attempts at once do not share anything") { contract, findings in
            for request in try await ProviderTrial(contract, .approves).requests {
                let results = try await twoAtOnce(contract, request, findings)
                let mayCross = request.methodKind.map(contract.crossing.contains) ?? !contract.crossing.isEmpty
                let credentials = results.compactMap { try? $0.get() }
                if credentials.isEmpty, !mayCross {
                    _ = try ProviderTrial.credential(of: results[0], base: everyKind)
                }
                if !mayCross {
                    findings.expect(
                        credentials.count == 2, "two credentials\(request.words)",
                        saw: "saw \(results.map(ContractFindings.words).joined(separator: " and "))")
                }
                if credentials.count == 2 { expectNothingShared(credentials[0], credentials[1], findings) }
            }
        },
        ContractCheck<Self>("steps are reported through the request") { contract, findings in
            let steps = Lock([AuthState.SignInStep]())
            let trial = try await ProviderTrial(contract, .approves)
            findings.stage("waiting for an attempt whose person agrees")
            _ = try await trial.credential(AuthRequest { step in steps.withLock { $0.append(step) } })
            let seen = steps.withLock { $0 }
            findings.expect(
                seen.contains(.presenting) || seen.contains(.waitingForOtherApp),
                "'presenting' or 'waitingForOtherApp'", saw: "saw \(seen.map(\.rawValue))")
        },
    ]

    private static func expectNothingShared(_ one: Credential, _ other: Credential, _ findings: ContractFindings) {
        findings.expect(
            one.ownSecrets.isDisjoint(with: other.ownSecrets), "codes, tokens and nonces of its own",
            saw: "two attempts had \(one.ownSecrets.intersection(other.ownSecrets).count) in common")
    }

    private static func twoAtOnce(
        _ contract: AuthProviderContract, _ request: AuthRequest, _ findings: ContractFindings
    ) async throws -> [Result<Credential, AuthError>] {
        let trial = try await ProviderTrial(contract, .approves)
        // The first is held at its first contact until the second has reached its own.
        trial.witness.gather(2)
        findings.stage("waiting for two attempts at once\(request.words)")
        let streams = [trial.stream(request), trial.stream(request)]
        return await withTaskGroup(of: Result<Credential, AuthError>.self) { group in
            for stream in streams {
                group.addTask {
                    defer { trial.witness.attemptEnded() }
                    return await stream.result
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension AuthRequest {
    var words: String { methodKind.map { " by method kind '\($0)'" } ?? "" }
}
