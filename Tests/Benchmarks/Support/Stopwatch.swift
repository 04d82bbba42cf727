extension ContinuousClock.Instant {
    /// The nanoseconds that passed since this instant, for each of a number of repetitions.
    func nanoseconds(per count: Int = 1) -> Double { duration(to: .now) / .nanoseconds(count) }
}

/// Returns the nanoseconds that each of a number of repetitions takes.
func mean(of repetitions: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let begin = ContinuousClock.now
    for _ in 0..<repetitions { try await body() }
    return begin.nanoseconds(per: repetitions)
}

/// Takes a value as if it were needed, so that making it is not optimized away.
@inline(never)
func consume<Value>(_ value: borrowing Value) {}
