/// Subscribes, again and again, and keeps the iterators. The cost is that of making one.
struct IteratorMaking: Workload {
    let iterators: Int

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        var kept: [C.Iterator] = []
        kept.reserveCapacity(iterators)
        let begin = ContinuousClock.now
        for _ in 0..<iterators { kept.append(channel.makeIterator()) }
        let cost = begin.nanoseconds(per: iterators)
        consume(kept)
        channel.finish()
        return cost
    }
}

/// Readers in tasks of their own that have received the current element and wait for the next one.
private struct WaitingReaders {
    let tasks: [Task<Void, Never>]
    let ends: Countdown

    init<C: Channel>(_ count: Int, of channel: C) async {
        let (arrivals, ends) = (Countdown(count), Countdown(count))
        tasks = (0..<count).map { _ in
            Task {
                await channel.read { _ in
                    arrivals.arrive()
                    return true
                }
                ends.arrive()
            }
        }
        self.ends = ends
        await arrivals.wait()
        await settle()
    }
}

/// Cancels waiting readers. The cost is that of one, until its loop has ended.
struct Cancellation: Workload {
    let readers: Int

    func cost<C: Channel>(on make: () -> C) async -> Double {
        let channel = make()
        let waiting = await WaitingReaders(readers, of: channel)
        let begin = ContinuousClock.now
        for task in waiting.tasks { task.cancel() }
        await waiting.ends.wait()
        let cost = begin.nanoseconds(per: readers)
        channel.finish()
        return cost
    }
}

/// Readers that wait. The cost is the memory of one in bytes, beyond that of a task on a bare continuation.
struct IdleMemory: Workload {
    let readers: Int

    func cost<C: Channel>(on make: () -> C) async throws -> Double {
        let bare = try await memoryOfTasks()
        let channel = make()
        let before = try HeapUse.bytes()
        let waiting = await WaitingReaders(readers, of: channel)
        let after = try HeapUse.bytes()
        channel.finish()
        await waiting.ends.wait()
        return (after - before - bare) / Double(readers)
    }

    /// As many tasks, each on a bare continuation.
    private func memoryOfTasks() async throws -> Double {
        let waiting = Guarded<[UnsafeContinuation<Void, Never>]>([])
        waiting.withLock { $0.reserveCapacity(readers) }
        let arrivals = Countdown(readers)
        let before = try HeapUse.bytes()
        let tasks = (0..<readers).map { _ in
            Task {
                await withUnsafeContinuation { continuation in
                    waiting.withLock { $0.append(continuation) }
                    arrivals.arrive()
                }
            }
        }
        await arrivals.wait()
        let after = try HeapUse.bytes()
        for continuation in waiting.withLock({ $0 }) { continuation.resume() }
        for task in tasks { await task.value }
        return after - before
    }
}
