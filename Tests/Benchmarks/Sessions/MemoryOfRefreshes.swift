import AuthStreams

extension Suite {
    /// Whether memory grows with the number of refreshes. Once, whatever the number of rounds: it takes minutes.
    static var memoryOfRefreshes: Measure {
        let id = "refreshes-memory"
        let bound = Bound.atMost(must: 1024, aim: 256)
        return Measure(id) { rounds in
            let refreshes = rounds.scaled(1_000_000)
            let quantity = "growth from \(refreshes / 10) refreshes to \(refreshes)"
            do {
                let session = try await BenchSession(BenchRepository())
                let begin = Stopwatch.nanoseconds()
                var early: Double?
                for number in 1...refreshes {
                    _ = try await session.refreshing.accessToken(forceRefresh: true)
                    if number == refreshes / 10 { early = ResidentSize.bytes() }
                }
                let mean = (Stopwatch.nanoseconds() - begin) / Double(refreshes) / 1000
                guard session.repository.refreshes == refreshes else {
                    return [Row(id, quantity, failed: "There were \(session.repository.refreshes) refreshes", bound)]
                }
                guard let early, let late = ResidentSize.bytes() else {
                    return [Row(id, quantity, notMeasured: "Needs /proc/self/statm.", bound)]
                }
                var row = Row(id, quantity, unit: "KiB", ours: Samples([(late - early) / 1024]), bound)
                row.note =
                    "From \((early / 1_048_576).short) to \((late / 1_048_576).short) MiB resident; \(mean.short) µs each"
                return [row]
            } catch {
                return [Row(id, quantity, failed: "A refresh failed: \(error)", bound)]
            }
        }
    }
}
