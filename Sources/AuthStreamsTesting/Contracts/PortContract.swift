/// The promises of a port, as checks that whoever implements it can run: providers, repositories, stores.
///
/// It knows no test framework. Make the contract of your part, and run it whole in one test:
///
/// ```swift
/// @Test func theStoreKeepsItsPromises() async throws { try await contract.verify() }
/// ```
///
/// Or each promise as a test of its own:
///
/// ```swift
/// @Test(arguments: SessionStoreContract.checks)
/// func theStoreKeeps(promise: ContractCheck<SessionStoreContract>) async throws { try await contract.verify(promise) }
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | what if a check never ends? | it counts as broken once ``patience`` is over; what hangs is cancelled and left behind |
/// | does a check depend on speed? | no: it waits for facts, and patience is a net alone |
/// | what if a part cannot be put to the test? | its author says so and why; the ``ContractReport`` lists it |
/// | what do violations show? | names, codes and counts; no token, code or nonce |
public protocol PortContract: Sendable {
    /// Every promise, in the order in which ``verify()`` checks them.
    static var checks: [ContractCheck<Self>] { get }

    /// How long one check may take before it counts as hanging.
    var patience: ContractPatience { get set }
}

extension PortContract {
    /// Checks every promise.
    ///
    /// - Returns: Which were kept, and which could not be checked and why.
    /// - Throws: ``ContractViolations`` with everything that is broken; `CancellationError` when the task is cancelled.
    @discardableResult
    public func verify() async throws -> ContractReport {
        var judgement = ContractJudgement()
        for check in Self.checks { judgement.add(try await check.outcome(for: self), of: check.name) }
        return try judgement.report()
    }

    /// Checks one promise.
    ///
    /// - Returns: Whether it was kept or could not be checked.
    /// - Throws: ``ContractViolations``; `CancellationError` when the task is cancelled.
    @discardableResult
    public func verify(_ check: ContractCheck<Self>) async throws -> ContractReport {
        var judgement = ContractJudgement()
        judgement.add(try await check.outcome(for: self), of: check.name)
        return try judgement.report()
    }
}

/// How long a check may take before it counts as hanging: a net for broken parts, never a measure of good ones.
public struct ContractPatience: Sendable {
    /// The limit for one check.
    public var limit: Duration
    /// Measures it.
    public var clock: any Clock<Duration>

    /// Makes a patience. One minute, unless given, is far more than any check needs.
    public init(_ limit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }
}
