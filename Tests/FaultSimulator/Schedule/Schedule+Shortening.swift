extension Schedule {
    /// The same schedule without the steps that it does not take to break a promise.
    func shortened(until promise: Invariant) throws(Unsupported) -> Schedule {
        var shortest = self
        var index = shortest.steps.count - 1
        while index >= 0 {
            var candidate = shortest
            candidate.steps.remove(at: index)
            if try Simulation.play(candidate)?.promise == promise { shortest = candidate }
            index -= 1
        }
        return shortest
    }
}
