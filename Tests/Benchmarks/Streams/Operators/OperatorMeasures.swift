import AuthStreams

extension Suite {
    /// What operators add.
    static var operators: [Measure] {
        let maps: [(String, @Sendable (Int, Meter) async -> Double)] = [
            ("mapSuccess", OperatorCost.mapSuccess), ("mapFailure", OperatorCost.mapFailure),
            ("successes", OperatorCost.successes), ("values", OperatorCost.values),
        ]
        return maps.map { name, cost in stateless(name, cost) } + [ignoredTaps]
    }

    private static func stateless(_ name: String, _ cost: @escaping @Sendable (Int, Meter) async -> Double) -> Measure {
        let count = "\(name)-allocations"
        let bound = Bound.atMost(must: 0, aim: 0)
        return Measure(name, count) { rounds in
            let elements = rounds.scaled(1_000_000)
            let samples = await rounds.interleave([
                { await cost(elements, Stopwatch.nanoseconds) },
                { await OperatorCost.bare(elements, Stopwatch.nanoseconds) },
            ])
            let bare = samples[1].median ?? .nan
            let time = Row(
                id: name, quantity: "\(name), added to an element", unit: "ns", ours: samples[0],
                figure: samples[0].median.map { $0 - bare }, figureUnit: "ns", bound: .atMost(must: 50, aim: 10),
                note: "Beyond the same loop without it (\(bare.short) ns)")
            guard await AllocationCounter.isTrustworthy() else {
                return [time, Row(count, "\(name), allocations", notMeasured: AllocationCounter.doubt, bound)]
            }
            let allocations = await AllocationCounter.counting {
                await rounds.interleave([{ await cost(elements, AllocationCounter.meter) }])
            }
            return [
                time,
                Row(
                    count, "\(name), allocations of an element", unit: "per element",
                    ours: allocations[0].map(\.roundedToHundredths), bound),
            ]
        }
    }

    private static var ignoredTaps: Measure {
        Measure("flatMapFirst") { rounds in
            let samples = await rounds.interleave([{ await IgnoredTaps.cost(of: rounds.scaled(200_000)) }])
            return [
                Row(
                    "flatMapFirst", "flatMapFirst, an ignored element", unit: "ns", ours: samples[0],
                    .atMost(must: 200, aim: 100))
            ]
        }
    }
}
