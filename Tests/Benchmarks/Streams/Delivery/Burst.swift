/// Sends as fast as it can while readers read every change. The cost is that of one delivery.
struct Burst: Workload {
    let readers: Int
    let emissions: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            arrivals.arm(readers)
            for _ in 0..<readers {
                group.addTask {
                    var received = 0
                    await channel.read { _ in
                        // The present comes first, then every change.
                        if received == 0 || received == emissions { arrivals.arrive() }
                        received += 1
                        return true
                    }
                }
            }
            await arrivals.wait()
            arrivals.arm(readers)
            let begin = Stopwatch.nanoseconds()
            for turn in 1...emissions { channel.send(C.Element.sample(turn)) }
            await arrivals.wait()
            let end = Stopwatch.nanoseconds()
            channel.finish()
            return (end - begin) / Double(emissions * readers)
        }
    }
}
