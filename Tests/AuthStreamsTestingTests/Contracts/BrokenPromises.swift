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

/// A part that hangs for ever, and says so, so that the contract reports it at once.
struct Hang: Sendable {
    private let current: Lock<Promise<Void>>

    init() { self.init(current: Lock(Promise())) }

    private init(current: Lock<Promise<Void>>) { self.current = current }

    /// Reports the check that is under way when the part says that it hangs.
    var detection: HangDetection {
        HangDetection {
            let event = Promise<Void>()
            current.withLock { $0 = event }
            return event
        }
    }

    /// Hangs at once, also when the task is cancelled.
    func forever() async {
        begin()
        await Task { _ = await Promise<Never>().value() }.value
    }

    /// Hangs, and says so only once the task is cancelled: what an attempt does that ignores it.
    func onceCancelled() async {
        _ = await Promise<Never>().value()
        await forever()
    }

    /// Says that the check hangs from now on.
    func begin() { current.withLock { $0 }.resolve(()) }

    /// For a part that is made during a check: says that this check hangs, also once another one is under way.
    var ofThisCheck: Hang { Hang(current: Lock(current.withLock { $0 })) }
}
