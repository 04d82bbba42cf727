/// The same work for any channel. Less is better.
protocol Workload: Sendable {
    /// Does the work on a fresh channel, which it finishes, and returns what it cost.
    func cost<C: Channel>(on channel: C) async -> Double
}

/// One of ours, with what it takes to make it.
struct Contestant<Ours: Channel>: Sendable {
    /// The beginning of the identifiers of its rows; empty for the main one.
    let prefix: String
    /// What it is called in the table.
    let title: String
    let make: @Sendable () -> Ours
}

extension Rounds {
    /// Ours and both baselines, in this order, each on a fresh channel in each round.
    func contenders<Ours: Channel>(
        _ workload: some Workload, _ contestant: Contestant<Ours>
    ) -> [@Sendable () async -> Double] {
        [
            { await workload.cost(on: contestant.make()) },
            { await workload.cost(on: AsyncStreamHub(Ours.Element.sample(0), .bufferingNewest(1))) },
            { await workload.cost(on: AsyncStreamHub(Ours.Element.sample(0), .unbounded)) },
        ]
    }

    /// Ours beside the baselines.
    ///
    /// - Parameter withNewest: Whether a baseline that keeps only the newest element can do the work.
    func compare<Ours: Channel>(
        _ workload: some Workload, _ contestant: Contestant<Ours>, withNewest: Bool = true
    ) async -> Comparison {
        var contenders = contenders(workload, contestant)
        if !withNewest { contenders.remove(at: 1) }
        let samples = await interleave(contenders)
        let rivals: [Rival] = withNewest ? [.newest, .unbounded] : [.unbounded]
        return Comparison(
            ours: samples[0], rivals: Dictionary(zip(rivals, samples.dropFirst())) { first, _ in first })
    }
}
