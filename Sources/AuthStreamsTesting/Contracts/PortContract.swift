/// The promises of a port, as checks for its implementations: providers, repositories, stores.
///
/// It is independent of test frameworks. Make the contract of your implementation, and run it as a whole in one test:
///
/// ```swift
/// @Test func theStoreKeepsItsPromises() async throws { try await contract.verify() }
/// ```
///
/// Or run each promise as a separate test:
///
/// ```swift
/// @Test(arguments: SessionStoreContract.checks)
/// func theStoreKeeps(promise: ContractCheck<SessionStoreContract>) async throws { try await contract.verify(promise) }
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | what if a check never ends? | it counts as broken once ``hangDetection`` says that it hangs; its task is cancelled and abandoned |
/// | does a check depend on speed? | no: it waits for events, and on a busy machine it has as many turns as on an idle one |
/// | what if something cannot be tested? | the author states the reason; the ``ContractReport`` lists it |
/// | what do violations show? | names, codes and counts; no token, code or nonce |
public protocol PortContract: Sendable {
    /// Every promise, in the order in which ``verify()`` checks them.
    static var checks: [ContractCheck<Self>] { get }

    /// Decides when a check hangs.
    var hangDetection: HangDetection { get set }
}

extension PortContract {
    /// Checks every promise.
    ///
    /// - Returns: The promises that were kept, and those that could not be checked with the reasons.
    /// - Throws: ``ContractViolations`` with all violations; `CancellationError` if the task is cancelled.
    @discardableResult
    public func verify() async throws -> ContractReport {
        var results = ContractResults()
        for check in Self.checks { results.add(try await check.outcome(for: self), of: check.name) }
        return try results.report()
    }

    /// Checks one promise.
    ///
    /// - Returns: Whether it was kept or could not be checked.
    /// - Throws: ``ContractViolations``; `CancellationError` if the task is cancelled.
    @discardableResult
    public func verify(_ check: ContractCheck<Self>) async throws -> ContractReport {
        var results = ContractResults()
        results.add(try await check.outcome(for: self), of: check.name)
        return try results.report()
    }
}
