import AuthStreams

/// What it costs to be handed a token that is good, in nanoseconds.
enum TokenCost {
    /// One lock, taken and given back, and one look at the clock, with nothing else.
    static func lockAndClock(_ repetitions: Int) -> Double {
        let lock = Guarded(0)
        let clock = ContinuousClock()
        return mean(of: repetitions) {
            consume(clock.now)
            lock.withLock { $0 &+= 1 }
        }
    }

    static func ours(_ auth: AuthService, _ repetitions: Int) async throws -> Double {
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions { consume(try await auth.accessToken()) }
        return (Stopwatch.nanoseconds() - begin) / Double(repetitions)
    }

    static func actor(_ actor: TokenActor, _ repetitions: Int) async throws -> Double {
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions { consume(try await actor.accessToken()) }
        return (Stopwatch.nanoseconds() - begin) / Double(repetitions)
    }

    /// Two tasks do the work at once; how long it takes until both are done, for each repetition.
    static func byTwo(
        _ repetitions: Int, _ work: @escaping @Sendable (Int) async throws -> Double
    ) async throws -> Double {
        let begin = Stopwatch.nanoseconds()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try await work(repetitions / 2) } }
            try await group.waitForAll()
        }
        return (Stopwatch.nanoseconds() - begin) / Double(repetitions)
    }

    private static func mean(of repetitions: Int, _ body: () -> Void) -> Double {
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions { body() }
        return (Stopwatch.nanoseconds() - begin) / Double(repetitions)
    }
}
