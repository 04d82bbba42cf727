/// Sends to nobody. The cost is that of one emission, in nanoseconds.
struct UnheardEmission: Workload {
    let emissions: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let begin = Stopwatch.nanoseconds()
        for turn in 0..<emissions { channel.send(C.Element.sample(turn)) }
        let end = Stopwatch.nanoseconds()
        channel.finish()
        return (end - begin) / Double(emissions)
    }
}

/// Sends to nobody. The cost is that of one emission, in operations on locks; not a number where they cannot be counted.
struct UnheardEmissionLocks: Workload {
    private static let emissions = 20

    func cost<C: Channel>(on channel: C) async -> Double {
        defer { channel.finish() }
        // The first one looks up what it calls.
        channel.send(C.Element.sample(0))
        let exchanges = SingleSteps.lockExchanges {
            for turn in 0..<Self.emissions { channel.send(C.Element.sample(turn)) }
        }
        guard let exchanges, let each = Self.exchangesOfLock() else { return .nan }
        return (Double(exchanges) / each / Double(Self.emissions)).roundedToHundredths
    }

    /// What it takes to take a bare lock and give it back: the unit of the count.
    private static func exchangesOfLock() -> Double? {
        let lock = Guarded(0)
        let exchanges = SingleSteps.lockExchanges {
            for _ in 0..<emissions { lock.withLock { $0 &+= 1 } }
        }
        guard let exchanges, exchanges >= emissions else { return nil }
        return Double(exchanges) / Double(emissions)
    }
}
