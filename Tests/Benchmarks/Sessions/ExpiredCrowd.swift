import AuthStreams

/// Many callers at once who find the token expired. The cost is that of one caller, in nanoseconds.
struct ExpiredCrowd: Sendable {
    let callers: Int

    /// There was not exactly one refresh.
    struct WrongNumberOfRefreshes: Error {
        let number: Int
    }

    func ours() async throws -> Double {
        let arrivals = Countdown()
        arrivals.arm(callers)
        let repository = BenchRepository(firstLife: -1) { await arrivals.wait() }
        let session = try await BenchSession(repository)
        let cost = try await cost(arrivals) { consume(try await session.refreshing.accessToken()) }
        try check(repository.refreshes)
        return cost
    }

    func actor() async throws -> Double {
        let arrivals = Countdown()
        arrivals.arm(callers)
        let refreshes = Guarded(0)
        let actor = TokenActor("", life: .seconds(3600), isExpired: true) {
            refreshes.withLock { $0 += 1 }
            await arrivals.wait()
            return String(repeating: "t", count: 900)
        }
        let cost = try await cost(arrivals) { consume(try await actor.accessToken()) }
        try check(refreshes.withLock { $0 })
        return cost
    }

    /// The refresh is answered when the last caller is on its way.
    private func cost(
        _ arrivals: Countdown, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        let begin = Stopwatch.nanoseconds()
        // No group: it looks for each child that ends among all that it has, which would be most of the time.
        let tasks = (0..<callers).map { _ in
            Task {
                arrivals.arrive()
                try await call()
            }
        }
        for task in tasks { try await task.value }
        return (Stopwatch.nanoseconds() - begin) / Double(callers)
    }

    private func check(_ refreshes: Int) throws {
        guard refreshes == 1 else { throw WrongNumberOfRefreshes(number: refreshes) }
    }
}

extension Suite {
    /// Many callers who find the token expired.
    static var crowd: Measure {
        let id = "crowd"
        let bound = Bound.atLeast(must: 1, aim: 1.2)
        return Measure(id) { rounds in
            let crowd = ExpiredCrowd(callers: rounds.crowd(10_000))
            let quantity = "accessToken(), expired, \(crowd.callers) callers, 1 refresh"
            do {
                let samples = try await rounds.finer(by: 3).interleave([
                    { try await crowd.ours() }, { try await crowd.actor() },
                ])
                let comparison = Comparison(ours: samples[0], rivals: [.actor: samples[1]])
                return [Row(id, quantity, unit: "ns/caller", comparison, against: [.actor], bound)]
            } catch let error as ExpiredCrowd.WrongNumberOfRefreshes {
                return [Row(id, quantity, failed: "There were \(error.number) refreshes", bound)]
            } catch {
                return [Row(id, quantity, failed: "There was no token: \(error)", bound)]
            }
        }
    }
}
