/// How often everything is measured, and how much of it.
struct Rounds: Equatable, Sendable {
    /// Fewer would make the median a matter of luck.
    static let minimum = 5

    var count = 7
    /// Tiny amounts of work, once: whether everything runs, not how fast.
    var isSmoke = false

    /// The number of repetitions of something, or a few when only smoke is wanted.
    func scaled(_ repetitions: Int) -> Int { isSmoke ? max(2, repetitions / 1000) : repetitions }

    /// More rounds, each of less.
    func finer(by factor: Int) -> Rounds { Rounds(count: count * factor, isSmoke: isSmoke) }

    /// A number of readers that smoke keeps small.
    func crowd(_ readers: Int) -> Int { isSmoke ? min(readers, 50) : readers }

    /// Runs contenders in turns: one of each per round, after a round that does not count.
    ///
    /// What disturbs the machine for a while disturbs all of them. Each round begins with another one, so that nobody always
    /// comes after the same.
    func interleave(_ contenders: [@Sendable () async -> Double]) async -> [Samples] {
        await turns(of: contenders.count) { await contenders[$0]() }
    }

    /// The same with contenders that may fail, which ends it.
    func interleave(_ contenders: [@Sendable () async throws -> Double]) async throws -> [Samples] {
        try await turns(of: contenders.count) { try await contenders[$0]() }
    }

    private func turns(of contenders: Int, _ body: (Int) async throws -> Double) async rethrows -> [Samples] {
        var samples = (0..<contenders).map { _ in Samples() }
        for index in 0..<contenders where !isSmoke { _ = try await body(index) }
        for round in 0..<(isSmoke ? 1 : count) {
            for place in 0..<contenders {
                let index = (round + place) % contenders
                samples[index].add(try await body(index))
            }
        }
        return samples
    }
}
