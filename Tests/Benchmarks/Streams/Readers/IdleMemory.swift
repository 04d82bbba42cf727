/// Readers that wait. The cost is the memory of one, with its task, in bytes.
struct IdleMemory: Workload {
    let readers: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        let ends = Countdown()
        arrivals.arm(readers)
        ends.arm(readers)
        let before = HeapUse.bytes() ?? .nan
        for _ in 0..<readers {
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
        let after = HeapUse.bytes() ?? .nan
        channel.finish()
        await ends.wait()
        return (after - before) / Double(readers)
    }
}
