extension Suite {
    /// What an attempt costs.
    static var attempts: [Measure] {
        let id = "attempt"
        let quantity = "AuthStream, iterated, body does not suspend"
        return [
            Measure(id, "\(id)-ratio") { rounds in
                let samples = await rounds.interleave([
                    { await AttemptCost.iteration(rounds.scaled(1_000_000)) },
                    { await AttemptCost.streamIteration(rounds.scaled(20_000)) },
                ])
                let comparison = Comparison(ours: samples[0], rivals: [.unbounded: samples[1]])
                var time = Row(id, quantity, unit: "ns", ours: samples[0], .atMost(must: 500, aim: 100))
                time.rivals[.unbounded] = samples[1]
                time.note = "Beside an AsyncStream of one value from a Task"
                let ratio = Row(
                    "\(id)-ratio", quantity, unit: "ns", comparison, against: .unbounded,
                    .atLeast(must: 20, aim: 100))
                return [time, ratio]
            },
            Measure("\(id)-cancel") { rounds in
                let samples = await rounds.interleave([
                    { await AttemptCost.cancelledStart(rounds.scaled(20_000)) },
                    { await AttemptCost.streamCancelledStart(rounds.scaled(20_000)) },
                ])
                return [
                    Row(
                        "\(id)-cancel", "AuthStream, start and cancel", unit: "ns",
                        Comparison(ours: samples[0], rivals: [.unbounded: samples[1]]), against: .unbounded,
                        .atLeast(must: 1.7, aim: 2.5))
                ]
            },
        ]
    }
}
