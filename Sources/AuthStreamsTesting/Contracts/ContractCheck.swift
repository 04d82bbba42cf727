import AuthStreams

/// One promise of a port, and the way to see whether a part keeps it.
public struct ContractCheck<Contract: PortContract>: Sendable, CustomStringConvertible {
    typealias Body = @Sendable (Contract, ContractFindings) async throws -> Void

    /// The promise, in words.
    public let name: String
    private let body: Body

    init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }

    /// The promise, in words.
    public var description: String { name }
}

/// What came of one check.
enum ContractOutcome: Sendable {
    case kept
    case broken([ContractFindings.Finding])
    /// The part's author said that this cannot be put to the test, and why.
    case leftOut(String)
    /// It begins with another promise, which is broken.
    case unjudged(ContractUnjudged)
}

/// Ends a check that has nothing to look at.
struct ContractLeftOut: Error {
    let reason: String
}

/// Ends a check whose beginning is another promise, because that one is broken.
struct ContractUnjudged: Error {
    let base: String
    let expected: String
    let seen: String
}

extension ContractCheck {
    /// Runs the check.
    ///
    /// The check runs in a task of its own: a part that ignores cancellation can be reported and left behind, which a child
    /// task could not. It is cancelled when this returns.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled first.
    func outcome(for contract: Contract) async throws -> ContractOutcome {
        let (findings, outcome) = (ContractFindings(), Promise<ContractOutcome>())
        let patience = contract.patience
        let work = Task { outcome.resolve(await judge(contract, findings)) }
        let net = Task {
            guard (try? await patience.clock.sleep(for: patience.limit)) != nil else { return }
            outcome.resolve(.broken(findings.all + [findings.hung(after: patience.limit)]))
        }
        defer {
            work.cancel()
            net.cancel()
        }
        guard let outcome = await outcome.value() else { throw CancellationError() }
        return outcome
    }

    private func judge(_ contract: Contract, _ findings: ContractFindings) async -> ContractOutcome {
        do {
            try await body(contract, findings)
        } catch let error as ContractLeftOut where findings.all.isEmpty {
            return .leftOut(error.reason)
        } catch let error as ContractUnjudged where findings.all.isEmpty {
            return .unjudged(error)
        } catch  where error is ContractLeftOut || error is ContractUnjudged {
            // What was found before says enough.
        } catch {
            findings.add("the check to run to its end", saw: "it threw \(ContractFindings.words(for: error))")
        }
        return findings.all.isEmpty ? .kept : .broken(findings.all)
    }
}
