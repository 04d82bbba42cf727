import AuthStreams

extension Suite {
    /// What a token costs that is good. Its expiry is checked each time.
    static var tokens: [Measure] {
        [
            Measure("token", "token-actor") { rounds in
                let cost = Bound.atMost(must: 1.5, aim: 1.2)
                let gain = Bound.atLeast(must: 1.5, aim: 2)
                let quantity = "accessToken(), valid"
                do {
                    let auth = try await BenchSession.service()
                    let actor = TokenActor.valid
                    // In turns so short that whatever else the machine does interrupts few of them.
                    let repetitions = rounds.isSmoke ? 10 : 5000
                    let samples = try await rounds.finer(by: 50).interleave([
                        { try await TokenCost.ours(auth, repetitions) },
                        { TokenCost.lockAndClock(repetitions) },
                        { try await TokenCost.actor(actor, repetitions) },
                    ])
                    let comparison = Comparison(
                        ours: samples[0], rivals: [.lockAndClock: samples[1], .actor: samples[2]])
                    return [
                        Row(cost: "token", quantity, unit: "ns", comparison, against: .lockAndClock, cost),
                        Row("token-actor", quantity, unit: "ns", comparison, against: [.actor], gain),
                    ]
                } catch {
                    let reason = "There was no token: \(error)"
                    return [
                        Row("token", quantity, failed: reason, cost),
                        Row("token-actor", quantity, failed: reason, gain),
                    ]
                }
            },
            Measure("token-two") { rounds in
                let bound = Bound.atLeast(must: 3, aim: 5)
                let quantity = "accessToken(), valid, 2 tasks at once"
                do {
                    let auth = try await BenchSession.service()
                    let actor = TokenActor.valid
                    let repetitions = rounds.isSmoke ? 10 : 10_000
                    let samples = try await rounds.finer(by: 20).interleave([
                        { try await TokenCost.byTwo(repetitions) { try await TokenCost.ours(auth, $0) } },
                        { try await TokenCost.byTwo(repetitions) { try await TokenCost.actor(actor, $0) } },
                    ])
                    let comparison = Comparison(ours: samples[0], rivals: [.actor: samples[1]])
                    return [Row("token-two", quantity, unit: "ns", comparison, against: [.actor], bound)]
                } catch {
                    return [Row("token-two", quantity, failed: "There was no token: \(error)", bound)]
                }
            },
        ]
    }
}

extension TokenActor {
    fileprivate static var valid: TokenActor {
        TokenActor(String(repeating: "t", count: 900), life: .seconds(3600), isExpired: false) {
            String(repeating: "t", count: 900)
        }
    }
}

extension Row {
    /// Ours against one rival; the figure says how many times as much ours costs.
    init(
        cost id: String, _ quantity: String, unit: String, _ comparison: Comparison, against rival: Rival,
        _ bound: Bound
    ) {
        self.init(
            id: id, quantity: quantity, unit: unit, ours: comparison.ours, rivals: comparison.rivals,
            figure: comparison.ratio(against: [rival]).map { 1 / $0 }, figureUnit: "x", bound: bound)
    }
}
