import AuthStreams
import AuthStreamsTesting
import Testing

/// The names of the promises that a part breaks; empty when it keeps them all.
func brokenPromises<Contract: PortContract>(_ contract: Contract) async throws -> Set<String> {
    do {
        try await contract.verify()
        return []
    } catch let error as ContractViolations {
        return Set(error.violations.map(\.check))
    }
}

extension PortContract {
    /// The same contract with a timeout without end, so that no check fails because the machine is slow.
    var withoutTimeLimit: Self {
        var contract = self
        contract.timeout = ContractTimeout(clock: ManualClock())
        return contract
    }
}

/// A part that hangs for ever, and lets the contract's timeout end as soon as it does.
struct Hang: Sendable {
    let clock = ManualClock()

    var timeout: ContractTimeout { ContractTimeout(.seconds(60), clock: clock) }

    /// Hangs at once, also when the task is cancelled.
    func forever() async {
        await expire()
        await standStill()
    }

    /// Hangs, and lets the timeout end only once the task is cancelled: what an attempt does that ignores it.
    func onceCancelled() async {
        _ = await Promise<Never>().value()
        await forever()
    }

    func expire() async {
        // In a task of its own, which the cancellation of the caller's does not end.
        await Task { [clock] in await clock.waitForSleepers(count: 1) }.value
        clock.advance(by: .seconds(60))
    }

    private func standStill() async { await Task { _ = await Promise<Never>().value() }.value }
}
