import AuthStreams

/// Iterates results through an operator, as an app does; in nanoseconds, or whatever the meter counts, per element.
enum OperatorCost {
    /// The base alone.
    static func bare(_ count: Int, _ meter: Meter) async -> Double {
        var sum = 0
        let begin = meter()
        for await result in CountedResults(count: count) {
            if case .success(let value) = result { sum &+= value }
        }
        let end = meter()
        consume(sum)
        return (end - begin) / Double(count)
    }

    static func mapSuccess(_ count: Int, _ meter: Meter) async -> Double {
        var sum = 0
        let begin = meter()
        for await result in CountedResults(count: count).mapSuccess({ $0 &+ 1 }) {
            if case .success(let value) = result { sum &+= value }
        }
        let end = meter()
        consume(sum)
        return (end - begin) / Double(count)
    }

    static func mapFailure(_ count: Int, _ meter: Meter) async -> Double {
        var sum = 0
        let begin = meter()
        for await result in CountedResults(count: count).mapFailure({ $0 }) {
            if case .success(let value) = result { sum &+= value }
        }
        let end = meter()
        consume(sum)
        return (end - begin) / Double(count)
    }

    static func successes(_ count: Int, _ meter: Meter) async -> Double {
        var sum = 0
        let begin = meter()
        for await value in CountedResults(count: count).successes { sum &+= value }
        let end = meter()
        consume(sum)
        return (end - begin) / Double(count)
    }

    static func values(_ count: Int, _ meter: Meter) async -> Double {
        var sum = 0
        let begin = meter()
        // The base has no failures, so nothing is thrown.
        do { for try await value in CountedResults(count: count).values { sum &+= value } } catch {}
        let end = meter()
        consume(sum)
        return (end - begin) / Double(count)
    }
}
