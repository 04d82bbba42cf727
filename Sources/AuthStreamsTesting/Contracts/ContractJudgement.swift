/// The results of the checks of one run.
struct ContractJudgement {
    private var kept: [String] = []
    private var leftOut: [ContractReport.LeftOut] = []
    private var unjudged: [(check: String, reason: ContractUnjudged)] = []
    private var violations: [ContractViolation] = []

    mutating func add(_ outcome: ContractOutcome, of check: String) {
        switch outcome {
        case .kept: kept.append(check)
        case .broken(let findings):
            violations += findings.map { ContractViolation(check: check, expected: $0.expected, seen: $0.seen) }
        case .leftOut(let reason): leftOut.append(.init(check: check, reason: reason))
        case .unjudged(let reason): unjudged.append((check, reason))
        }
    }

    /// - Throws: ``ContractViolations``. A broken promise that others depend on is named once, not with each of them.
    ///   If its own check succeeded, they are named.
    func report() throws(ContractViolations) -> ContractReport {
        let broken = Set(violations.map(\.check) + unjudged.map(\.check))
        let further = unjudged.filter { !broken.contains($0.reason.base) }.map { check, reason in
            ContractViolation(check: check, expected: reason.expected, seen: reason.seen)
        }
        let all = violations + further
        guard all.isEmpty else { throw ContractViolations(violations: all) }
        return ContractReport(kept: kept, leftOut: leftOut)
    }
}
