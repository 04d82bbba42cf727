/// How often everything is measured, and how much of it.
struct Rounds: Equatable, Sendable {
    typealias Work = @Sendable () async throws -> Double

    /// The median of fewer rounds would be arbitrary.
    static let minimum = 5

    var count = 7
    /// Tiny amounts of work, once: checks that everything runs, not how fast.
    var isSmoke = false

    /// The number of repetitions, or a few for a smoke run.
    func scaled(_ repetitions: Int) -> Int { isSmoke ? max(2, repetitions / 1000) : repetitions }

    /// The number of readers or callers, or a few for a smoke run.
    func crowd(_ size: Int) -> Int { isSmoke ? min(size, 50) : size }

    /// More rounds, each of less work.
    func finer(by factor: Int) -> Rounds { Rounds(count: count * factor, isSmoke: isSmoke) }

    /// Runs contenders in turns: each one once per round, after a round that does not count.
    ///
    /// A disturbance of the machine affects all of them. Each round begins with another contender.
    func interleave(_ contenders: [(name: Contender, work: Work)]) async throws -> Samples {
        var samples: Samples = [:]
        for contender in contenders where !isSmoke { _ = try await contender.work() }
        for round in 0..<(isSmoke ? 1 : count) {
            for place in contenders.indices {
                let contender = contenders[(round + place) % contenders.count]
                samples[contender.name, default: []].append(try await contender.work())
            }
        }
        return samples
    }
}

extension [Double] {
    /// The value in the middle; of an even number the mean of the two in the middle; `nil` without values.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
