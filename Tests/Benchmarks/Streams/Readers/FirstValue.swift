/// Starts tasks that subscribe, get the present, and stop. The cost is that of one, until its element is there.
struct FirstValue: Workload {
    let readers: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        let ends = Countdown()
        arrivals.arm(readers)
        ends.arm(readers)
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<readers {
            Task {
                await channel.read { _ in
                    arrivals.arrive()
                    return false
                }
                ends.arrive()
            }
        }
        await arrivals.wait()
        let end = Stopwatch.nanoseconds()
        await ends.wait()
        channel.finish()
        return (end - begin) / Double(readers)
    }
}
