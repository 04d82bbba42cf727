/// Cancels readers that wait. The cost is that of one, until its loop has ended.
struct Cancellation: Workload {
    let readers: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        let ends = Countdown()
        arrivals.arm(readers)
        ends.arm(readers)
        let tasks = (0..<readers).map { _ in
            Task {
                await channel.read { _ in
                    arrivals.arrive()
                    return true
                }
                ends.arrive()
            }
        }
        await arrivals.wait()
        await settle()
        let begin = Stopwatch.nanoseconds()
        for task in tasks { task.cancel() }
        await ends.wait()
        let end = Stopwatch.nanoseconds()
        channel.finish()
        return (end - begin) / Double(readers)
    }
}
