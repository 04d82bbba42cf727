/// The results of the checks of one run.
struct ContractResults {
    private var kept: [String] = []
    private var skipped: [ContractReport.Skipped] = []
    private var inconclusive: [(check: String, reason: ContractInconclusive)] = []
    private var violations: [ContractViolation] = []

    mutating func add(_ outcome: ContractOutcome, of check: String) {
        switch outcome {
        case .kept: kept.append(check)
        case .broken(let findings):
            violations += findings.map { ContractViolation(check: check, expected: $0.expected, seen: $0.seen) }
        case .skipped(let reason): skipped.append(.init(check: check, reason: reason))
        case .inconclusive(let reason): inconclusive.append((check, reason))
        }
    }

    /// - Throws: ``ContractViolations``. A broken promise that others depend on is named once, not with each of them.
    ///   If its own check succeeded, they are named.
    func report() throws(ContractViolations) -> ContractReport {
        let broken = Set(violations.map(\.check) + inconclusive.map(\.check))
        let further = inconclusive.filter { !broken.contains($0.reason.base) }.map { check, reason in
            ContractViolation(check: check, expected: reason.expected, seen: reason.seen)
        }
        let all = violations + further
        guard all.isEmpty else { throw ContractViolations(violations: all) }
        return ContractReport(kept: kept, skipped: skipped)
    }
}
