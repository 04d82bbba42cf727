/// Sends to nobody. The cost is that of one emission.
struct UnheardEmission: Workload {
    let emissions: Int

    func cost<C: Channel>(on channel: C) async -> Double {
        let begin = Stopwatch.nanoseconds()
        for turn in 0..<emissions { channel.send(C.Element.sample(turn)) }
        let end = Stopwatch.nanoseconds()
        channel.finish()
        return (end - begin) / Double(emissions)
    }
}

/// What an emission to nobody is made of, at the least, and what it is counted in.
enum EmissionParts {
    /// An element in a chain: a class with a number, a mark, a link, and the element.
    private final class Link {
        let number: Int
        let isMark = false
        let next: Link? = nil
        let element: Int

        @inline(never)
        init(_ number: Int) { (self.number, element) = (number, number) }
    }

    /// Allocates a link and frees the one before it; in nanoseconds.
    static func linkCost(_ repetitions: Int) -> Double {
        let begin = Stopwatch.nanoseconds()
        var newest = Link(0)
        for number in 1...repetitions { newest = Link(number) }
        let end = Stopwatch.nanoseconds()
        consume(newest)
        return (end - begin) / Double(repetitions)
    }

    /// Locks and unlocks the platform's lock; in nanoseconds.
    static func lockCost(_ repetitions: Int) -> Double {
        let number = Guarded(0)
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions { number.withLock { $0 &+= 1 } }
        let end = Stopwatch.nanoseconds()
        consume(number)
        return (end - begin) / Double(repetitions)
    }
}
