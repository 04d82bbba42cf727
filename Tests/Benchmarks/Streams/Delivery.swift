/// The same work for any channel. Less is better.
protocol Workload: Sendable {
    /// Does the work on a new channel, which it finishes, and returns what it cost.
    func cost<C: Channel>(on make: () -> C) async throws -> Double
}

/// Sends one element, waits until all readers have received it, and repeats. The cost is that of one delivery.
struct Lockstep: Workload {
    let readers: Int
    let emissions: Int
    /// Whether each reader runs on an actor of its own.
    var isOnActor = false

    private actor Home {}

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        let arrivals = Countdown(readers)
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            for _ in 0..<readers {
                let home = isOnActor ? Home() : nil
                group.addTask { await read(channel, arrivals, on: home) }
            }
            await arrivals.wait()
            await send(1 + emissions / 10, on: channel, arrivals)
            let begin = ContinuousClock.now
            await send(emissions, on: channel, arrivals)
            let cost = begin.nanoseconds(per: emissions * readers)
            channel.finish()
            return cost
        }
    }

    private func read<C: Channel>(_ channel: C, _ arrivals: Countdown, on home: isolated Home?) async {
        await channel.read { _ in
            arrivals.arrive()
            return true
        }
    }

    private func send<C: Channel>(_ count: Int, on channel: C, _ arrivals: Countdown) async {
        for turn in 0..<count {
            arrivals.arm(readers)
            channel.send(.sample(turn))
            await arrivals.wait()
        }
    }
}

/// How many times as much a delivery costs with many readers as with few.
struct Growth: Workload {
    let few: Lockstep
    let many: Lockstep

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let base = await few.cost(on: make)
        return await many.cost(on: make) / base
    }
}

/// One waiting reader, and one element at a time. The cost is the median time from the call of `send` to the first line of
/// the reader's loop.
///
/// The threads are awake. After a pause of a few microseconds they would not be, and waking one takes ten times as long as
/// the rest, for each contender.
struct Latency: Workload {
    let emissions: Int

    /// `@unchecked Sendable`: the writer writes it before it sends; the reader reads it before it arrives.
    private final class Log: @unchecked Sendable {
        var sent = ContinuousClock.now
        var delays: [Double] = []
    }

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        let arrivals = Countdown(1)
        let log = Log()
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            group.addTask {
                await channel.read { _ in
                    log.delays.append(log.sent.nanoseconds())
                    arrivals.arrive()
                    return true
                }
            }
            await arrivals.wait()
            log.delays = []
            log.delays.reserveCapacity(emissions)
            for turn in 0..<emissions {
                arrivals.arm(1)
                await settle(3)
                log.sent = .now
                channel.send(.sample(turn))
                await arrivals.wait()
            }
            channel.finish()
            return log.delays.median ?? 0
        }
    }
}

/// Sends as fast as it can until all readers have the last element. The cost is that of one element for one reader,
/// whether it reads every element or only the newest.
struct Burst: Workload {
    let readers: Int
    let emissions: Int

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        let arrivals = Countdown(readers)
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            for _ in 0..<readers {
                group.addTask {
                    var isFirst = true
                    await channel.read { element in
                        if isFirst || element == .last { arrivals.arrive() }
                        isFirst = false
                        return true
                    }
                }
            }
            await arrivals.wait()
            arrivals.arm(readers)
            let begin = ContinuousClock.now
            for turn in 1..<emissions { channel.send(.sample(turn)) }
            channel.send(.last)
            await arrivals.wait()
            let cost = begin.nanoseconds(per: emissions * readers)
            channel.finish()
            return cost
        }
    }
}

/// Sends without readers. The cost is that of one emission.
struct UnheardEmission: Workload {
    let emissions: Int

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        let begin = ContinuousClock.now
        for turn in 0..<emissions { channel.send(.sample(turn)) }
        let cost = begin.nanoseconds(per: emissions)
        channel.finish()
        return cost
    }
}

/// Sends to subscribers that do not read yet. The cost is the memory of one element, in bytes.
struct Backlog: Workload {
    let readers: Int
    let elements: Int

    func cost<C: Channel>(on make: () -> C) async throws -> Double {
        let channel = make()
        let iterators = (0..<readers).map { _ in channel.makeIterator() }
        let growth = try withExtendedLifetime(iterators) {
            let before = try HeapUse.bytes()
            for turn in 0..<elements { channel.send(.sample(turn)) }
            return try HeapUse.bytes() - before
        }
        channel.finish()
        return growth / Double(elements)
    }
}
