/// Sends one element, waits until all readers have received it, and repeats. The cost is that of one delivery.
struct Lockstep: Workload {
    let readers: Int
    let emissions: Int
    /// Whether each reader runs on an actor of its own.
    var isOnActor = false
    var meter: Meter = Stopwatch.nanoseconds

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            arrivals.arm(readers)
            for _ in 0..<readers { addReader(of: channel, arrivals, to: &group) }
            await arrivals.wait()
            await send(1 + emissions / 10, on: channel, arrivals)
            let begin = meter()
            await send(emissions, on: channel, arrivals)
            let end = meter()
            channel.finish()
            return (end - begin) / Double(emissions * readers)
        }
    }

    private func addReader<C: Channel>(
        of channel: C, _ arrivals: Countdown, to group: inout DiscardingTaskGroup
    ) {
        guard isOnActor else {
            group.addTask {
                await channel.read { _ in
                    arrivals.arrive()
                    return true
                }
            }
            return
        }
        let home = Home()
        group.addTask { await home.read(channel, arrivals) }
    }

    private func send<C: Channel>(_ count: Int, on channel: C, _ arrivals: Countdown) async {
        for turn in 0..<count {
            arrivals.arm(readers)
            channel.send(C.Element.sample(turn))
            await arrivals.wait()
        }
    }
}

/// Where one reader lives.
private actor Home {
    private var received = 0

    func read<C: Channel>(_ channel: C, _ arrivals: Countdown) async {
        await channel.read { _ in
            received += 1
            arrivals.arrive()
            return true
        }
    }
}
