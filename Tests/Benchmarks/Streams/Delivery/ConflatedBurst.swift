/// Sends as fast as it can while readers care for the newest element only, until all have seen the last one. The cost is
/// that of one emission.
struct ConflatedBurst: Workload {
    let readers: Int
    let emissions: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            arrivals.arm(readers)
            for _ in 0..<readers {
                group.addTask {
                    var isFirst = true
                    await channel.read { element in
                        if isFirst || element.isLast { arrivals.arrive() }
                        isFirst = false
                        return true
                    }
                }
            }
            await arrivals.wait()
            arrivals.arm(readers)
            let begin = Stopwatch.nanoseconds()
            for turn in 1..<emissions { channel.send(C.Element.sample(turn)) }
            channel.send(C.Element.last)
            await arrivals.wait()
            let end = Stopwatch.nanoseconds()
            channel.finish()
            return (end - begin) / Double(emissions)
        }
    }
}
