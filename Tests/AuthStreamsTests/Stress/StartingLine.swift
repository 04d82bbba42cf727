import AuthStreams
import TestSupport
import Testing

/// Lets the sides of a race start as nearly together as threads allow.
struct StartingLine: Sendable {
    private let arrived = Lock(0)

    func wait(for parties: Int) async throws {
        arrived.withLock { $0 += 1 }
        // A busy loop, because a task that is resumed starts later than one that runs. It ends if another side does not come.
        for _ in 0..<10_000 {
            guard arrived.withLock({ $0 }) < parties else { return }
            await Task.yield()
        }
        try await TestSupport.wait(for: "\(parties) sides of a race") { arrived.withLock { $0 } >= parties }
    }
}

/// Passes a few nanoseconds for each step, so that a race is met at another moment each time.
func pass(_ steps: Int) {
    for step in 0..<steps { withExtendedLifetime(step) {} }
}
