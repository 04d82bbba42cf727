/// Begins to read, again and again, and keeps the iterators. The cost is that of making one.
struct IteratorMaking: Workload {
    let iterators: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        var kept: [C.Iterator] = []
        kept.reserveCapacity(iterators)
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<iterators { kept.append(channel.makeIterator()) }
        let end = Stopwatch.nanoseconds()
        consume(kept)
        channel.finish()
        return (end - begin) / Double(iterators)
    }
}
