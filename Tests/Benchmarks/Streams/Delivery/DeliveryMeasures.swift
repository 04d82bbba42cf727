extension Suite {
    /// Lockstep throughput, for each number of readers.
    static func lockstep<Ours>(_ ours: Contestant<Ours>, _ readers: [Int]) -> [Measure] {
        readers.map { readers in
            let id = "\(ours.prefix)lockstep-\(readers)"
            return Measure(id) { rounds in
                let comparison = await rounds.compare(Lockstep(readers: readers, in: rounds), ours)
                return [
                    Row(
                        id, "\(ours.title), lockstep, \(readers) readers", unit: "ns/delivery", comparison,
                        against: .better,
                        // With so many readers the memory of their tasks no longer fits the cache, for anybody.
                        readers == 1000 ? .atLeast(must: 1.3, aim: 1.5) : .atLeast(must: 1.7, aim: 2.3))
                ]
            }
        }
    }

    /// Bursts of which every change is read.
    static func bursts<Ours>(_ ours: Contestant<Ours>) -> [Measure] {
        [100, 1000].map { readers in
            let id = "\(ours.prefix)burst-\(readers)"
            return Measure(id) { rounds in
                let burst = Burst(readers: rounds.crowd(readers), emissions: rounds.scaled(1000))
                // Whoever keeps only the newest element cannot deliver every change.
                let comparison = await rounds.compare(burst, ours, withNewest: false)
                return [
                    Row(
                        id, "\(ours.title), burst, every change, \(readers) readers", unit: "ns/delivery",
                        comparison, against: .unbounded, .atLeast(must: 3, aim: 6))
                ]
            }
        }
    }

    /// A burst of which the end is what counts.
    static func conflatedBurst<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)burst-1000"
        return Measure(id) { rounds in
            let burst = ConflatedBurst(readers: rounds.crowd(1000), emissions: rounds.scaled(1000))
            let comparison = await rounds.compare(burst, ours)
            return [
                Row(
                    id, "\(ours.title), burst, 1000 readers", unit: "ns/emission", comparison, against: .newest,
                    .atLeast(must: 15, aim: 50))
            ]
        }
    }

    /// How the cost of a delivery grows with the number of readers.
    static func growth<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)growth"
        return Measure(id) { rounds in
            let few = Lockstep(readers: 100, in: rounds)
            let many = Lockstep(readers: 10_000, in: rounds)
            let samples = await rounds.interleave(rounds.contenders(few, ours) + rounds.contenders(many, ours))
            let growth = (0..<3).map { samples[$0 + 3].dividedInTurn(by: samples[$0]) }
            var row = Row(
                id, "\(ours.title), cost of a delivery, 10 000 readers : 100", unit: "x", ours: growth[0],
                .atMost(must: 2, aim: 1.4))
            row.rivals = [.newest: growth[1], .unbounded: growth[2]]
            return [row]
        }
    }

    /// The time until one reader has an element.
    static func latency<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)latency"
        return Measure(id) { rounds in
            let comparison = await rounds.compare(Latency(emissions: rounds.scaled(10_000)), ours)
            return [
                Row(
                    id, "\(ours.title), latency p50, 1 reader", unit: "ns", comparison, against: .better,
                    .atLeast(must: 1.5, aim: 3))
            ]
        }
    }

    /// Readers that live on actors.
    static func onActor<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)actor"
        return Measure(id) { rounds in
            var lockstep = Lockstep(readers: 1, in: rounds)
            lockstep.isOnActor = true
            let comparison = await rounds.compare(lockstep, ours)
            return [
                Row(
                    id, "\(ours.title), lockstep, 1 reader on an actor", unit: "ns/delivery", comparison,
                    against: .better, .atLeast(must: 1.3, aim: 1.8))
            ]
        }
    }

    /// How many locks an emission takes that nobody waits for.
    static func unheardEmission<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)unheard"
        let quantity = "\(ours.title), emission, nobody waits"
        let bound = Bound.atMost(must: 2, aim: 1)
        return Measure(id) { rounds in
            let locks = await UnheardEmissionLocks().cost(on: ours.make())
            guard locks.isFinite else {
                return [Row(id, quantity, notMeasured: "Locks are counted on x86-64 Linux.", bound)]
            }
            let times = await rounds.compare(UnheardEmission(emissions: rounds.scaled(1_000_000)), ours)
            return [
                Row(
                    id: id, quantity: quantity, unit: "ns", ours: times.ours, rivals: times.rivals,
                    figure: locks, figureUnit: "locks", bound: bound)
            ]
        }
    }
}

extension Lockstep {
    /// About as many deliveries for any number of readers.
    init(readers: Int, in rounds: Rounds) {
        self.init(
            readers: rounds.crowd(readers), emissions: rounds.scaled(min(50_000, max(30, 200_000 / readers))))
    }
}
