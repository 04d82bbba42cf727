extension Suite {
    /// Broadcasts, attempts and operators.
    static let streams = Suite(
        name: "streams", summary: "broadcasts, states and operators, beside one AsyncStream per reader behind a lock",
        rivals: [.newest, .unbounded],
        measures: delivery(BroadcastChannel.self) + [conflatedBurst] + delivery(StatesChannel.self) + attempts
            + operators)

    private static func delivery<Ours: Contestant>(_ ours: Ours.Type) -> [Measure] {
        lockstep(ours) + bursts(ours) + memory(ours)
    }

    private static func lockstep<Ours: Contestant>(_ ours: Ours.Type) -> [Measure] {
        [1, 10, 100, 1000, 10_000].map { readers in
            Measure(
                ours, "lockstep-\(readers)", "lockstep, \(readers) readers", "ns/delivery",
                // With a thousand readers the memory of their tasks no longer fits the cache.
                readers == 1000 ? .atLeast(must: 1.3, aim: 1.5) : .atLeast(must: 1.7, aim: 2.3)
            ) { Lockstep(readers: readers, in: $0) }
        } + [
            Measure(
                ours, "actor", "lockstep, 1 reader on an actor", "ns/delivery", .atLeast(must: 1.3, aim: 1.8)
            ) { Lockstep(readers: 1, isOnActor: true, in: $0) },
            Measure(
                ours, "growth", "delivery to 10 000 readers : 100", "x", figure: .amount,
                .atMost(must: 2, aim: 1.4)
            ) { Growth(few: Lockstep(readers: 100, in: $0), many: Lockstep(readers: 10_000, in: $0)) },
            Measure(ours, "latency", "latency p50, 1 reader", "ns", .atLeast(must: 1.5, aim: 3)) {
                Latency(emissions: $0.scaled(10_000))
            },
        ]
    }

    private static func bursts<Ours: Contestant>(_ ours: Ours.Type) -> [Measure] {
        [100, 1000].map { readers in
            // A stream that keeps only the newest element cannot deliver every change.
            Measure(
                ours, "burst-\(readers)", "burst, every change, \(readers) readers", "ns/change",
                figure: .gain(over: [.unbounded]), .atLeast(must: 3, aim: 6)
            ) { Burst(readers: $0.crowd(readers), emissions: $0.scaled(1000)) }
        } + [
            Measure(
                ours, "unheard", "emission, no readers", "ns", figure: .cost(beside: .newest),
                .atMost(must: 8, aim: 5)
            ) { UnheardEmission(emissions: $0.scaled(1_000_000)) },
            Measure(ours, "iterator", "making an iterator", "ns/reader", .atLeast(must: 5, aim: 12)) {
                IteratorMaking(iterators: $0.crowd(1000))
            },
            Measure(ours, "cancel", "cancel, 1000 readers", "ns/reader", .atLeast(must: 1.2, aim: 1.5)) {
                Cancellation(readers: $0.crowd(1000))
            },
        ]
    }

    private static var conflatedBurst: Measure {
        Measure(
            LatestChannel.self, "burst-1000", "burst, 1000 readers", "ns/change",
            figure: .gain(over: [.newest]), .atLeast(must: 15, aim: 50)
        ) { Burst(readers: $0.crowd(1000), emissions: $0.scaled(1000)) }
    }

    private static func memory<Ours: Contestant>(_ ours: Ours.Type) -> [Measure] {
        [
            Measure(
                ours, "backlog", "memory of an element for 100 readers", "B/element",
                figure: .gain(over: [.unbounded]), .atLeast(must: 10, aim: 20)
            ) { Backlog(readers: 100, elements: $0.scaled(1000)) },
            Measure(
                ours, "memory", "memory of an idle reader", "B/reader", figure: .amount,
                .atMost(must: 256, aim: 128)
            ) { IdleMemory(readers: $0.crowd(100_000)) },
        ]
    }
}

extension Measure {
    /// A workload on ours, in turns with the same on each baseline that the figure needs.
    fileprivate init<Ours: Contestant>(
        _ ours: Ours.Type, _ id: String, _ title: String, _ unit: String,
        figure: Figure = .gain(over: [.newest, .unbounded]), _ bound: Bound,
        _ workload: @escaping @Sendable (Rounds) -> some Workload
    ) {
        let rivals = if case .gain(let rivals) = figure { rivals } else { [Contender.newest, .unbounded] }
        self.init(
            id: "\(Ours.prefix)\(id)", title: "\(Ours.title), \(title)", unit: unit, figure: figure, bound: bound
        ) { rounds in
            let workload = workload(rounds)
            let contenders: [(Contender, Rounds.Work)] = [
                (.ours, { try await workload.cost { Ours() } }),
                (
                    .newest,
                    { try await workload.cost { AsyncStreamHub<Ours.Element>(.sample(0), .bufferingNewest(1)) } }
                ),
                (.unbounded, { try await workload.cost { AsyncStreamHub<Ours.Element>(.sample(0), .unbounded) } }),
            ]
            return try await rounds.interleave(contenders.filter { $0.0 == .ours || rivals.contains($0.0) })
        }
    }
}

extension Lockstep {
    /// About as many deliveries for any number of readers.
    fileprivate init(readers: Int, isOnActor: Bool = false, in rounds: Rounds) {
        let emissions = rounds.scaled(min(50_000, max(30, 200_000 / readers)))
        self.init(readers: rounds.crowd(readers), emissions: emissions, isOnActor: isOnActor)
    }
}
