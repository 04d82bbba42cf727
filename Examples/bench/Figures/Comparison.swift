/// What ours and the baselines showed in the same run, in the same unit; less is better.
struct Comparison: Equatable, Sendable {
    /// Whom ours is compared with.
    enum Rival: Sendable {
        case newest
        case unbounded
        /// Whichever of the two is better.
        case better
    }

    var ours: Samples
    var newest: Samples?
    var unbounded: Samples?

    /// How many times more a baseline costs than ours, by their medians.
    func ratio(against rival: Rival) -> Double? {
        let newest = newest?.median
        let unbounded = unbounded?.median
        let theirs =
            switch rival {
            case .newest: newest
            case .unbounded: unbounded
            case .better: [newest, unbounded].compactMap(\.self).min()
            }
        guard let theirs, let ours = ours.median, ours > 0 else { return nil }
        return theirs / ours
    }
}
