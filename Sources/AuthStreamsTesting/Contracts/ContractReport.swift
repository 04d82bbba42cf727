/// The promises that a contract found kept, and those that it could not check.
public struct ContractReport: Hashable, Sendable {
    /// A promise that was not checked.
    public struct Skipped: Hashable, Sendable {
        /// The promise.
        public let check: String
        /// The reason, in the words of the port's author if they stated it.
        public let reason: String
    }

    /// The promises that were checked and kept.
    public let kept: [String]
    /// The promises that were not checked.
    public let skipped: [Skipped]
}

extension ContractReport: CustomStringConvertible {
    /// A line for each promise.
    public var description: String {
        (kept.map { "kept: \($0)" } + skipped.map { "skipped: \($0.check) (\($0.reason))" }).joined(separator: "\n")
    }
}

/// A broken promise: what was expected and what was seen. Contains no secret.
package struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    package let check: String
    /// What should have been seen.
    package let expected: String
    /// What was seen instead.
    package let seen: String

    /// The three in a sentence.
    package var description: String { "\(check): expected \(expected); \(seen)" }
}

/// All violations of a contract.
public struct ContractViolations: Error, Hashable, Sendable, CustomStringConvertible {
    /// Each broken promise, at least one. A promise broken in several ways is there several times.
    package let violations: [ContractViolation]

    /// A line for each.
    public var description: String {
        let broken = Set(violations.map(\.check)).count
        return (["\(broken) broken \(broken == 1 ? "promise" : "promises"):"] + violations.map { "- \($0)" })
            .joined(separator: "\n")
    }
}

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
