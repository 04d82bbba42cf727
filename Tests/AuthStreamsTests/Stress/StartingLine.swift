import AuthStreams

/// Lets the sides of a race start as nearly together as threads allow.
struct StartingLine: Sendable {
    private let arrived = Lock(0)

    func wait(for parties: Int) async {
        arrived.withLock { $0 += 1 }
        while arrived.withLock({ $0 }) < parties { await Task.yield() }
    }
}

/// Passes a few nanoseconds for each step, so that a race is met at another moment each time.
func pass(_ steps: Int) {
    for step in 0..<steps { withExtendedLifetime(step) {} }
}
