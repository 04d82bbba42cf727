import AuthStreams

/// One promise of a port, and the check of it.
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

extension ContractCheck {
    /// Runs the check.
    ///
    /// The check runs in an unstructured task: one that ignores cancellation can be reported and abandoned, unlike a
    /// child task. It is cancelled when this returns.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled first.
    func outcome(for contract: Contract) async throws -> ContractOutcome {
        let (activity, outcome) = (CheckActivity(), Promise<ContractOutcome>())
        let findings = ContractFindings(of: activity)
        let hang = contract.hangDetection.watch(activity)
        let work = activity.start { outcome.resolve(await evaluate(contract, findings)) }
        let probe = Task {
            guard let words = try? await hang() else { return }
            outcome.resolve(.broken(findings.all + [findings.hung(words)]))
        }
        defer {
            work.cancel()
            probe.cancel()
        }
        guard let outcome = await outcome.value() else { throw CancellationError() }
        return outcome
    }

    private func evaluate(_ contract: Contract, _ findings: ContractFindings) async -> ContractOutcome {
        do {
            try await body(contract, findings)
        } catch let error as ContractSkip where findings.all.isEmpty {
            return .skipped(error.reason)
        } catch let error as ContractInconclusive where findings.all.isEmpty {
            return .inconclusive(error)
        } catch  where error is ContractSkip || error is ContractInconclusive {
            // The earlier findings are enough.
        } catch {
            findings.add("the check to run to its end", saw: "it threw \(ContractFindings.words(for: error))")
        }
        return findings.all.isEmpty ? .kept : .broken(findings.all)
    }
}

/// The result of one check.
enum ContractOutcome: Sendable {
    case kept
    case broken([ContractFindings.Finding])
    /// It cannot be tested, for the stated reason.
    case skipped(String)
    /// It depends on another promise, which is broken.
    case inconclusive(ContractInconclusive)
}

/// Ends a check that cannot be tested.
struct ContractSkip: Error {
    let reason: String
}

/// Ends a check that depends on a broken promise.
struct ContractInconclusive: Error {
    let base: String
    let expected: String
    let seen: String
}

/// An action of a port's environment that a contract may need, such as disabling a user, or the reason why it is not
/// possible.
///
/// There is no default, so that each omitted check has a stated reason.
public enum ContractCapability<Action: Sendable>: Sendable {
    /// The action.
    case can(Action)
    /// The reason why it is not possible. The report gives this reason for every check that needs it.
    case cannot(String)

    /// - Throws: The error that ends a check that needs the action.
    func required() throws(ContractSkip) -> Action {
        switch self {
        case .can(let action): return action
        case .cannot(let reason): throw ContractSkip(reason: reason)
        }
    }
}
