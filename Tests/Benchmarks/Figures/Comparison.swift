/// What ours and its rivals showed in the same run, in the same unit; less is better.
struct Comparison: Equatable, Sendable {
    var ours: Samples
    var rivals: [Rival: Samples] = [:]

    /// How many times more a rival costs than ours, by their medians; of several the one that is better.
    func ratio(against rivals: [Rival]) -> Double? {
        let theirs = rivals.compactMap { self.rivals[$0]?.median }.min()
        guard let theirs, let ours = ours.median, ours > 0 else { return nil }
        return theirs / ours
    }

    /// The same in another unit.
    func map(_ transform: (Double) -> Double) -> Comparison {
        Comparison(ours: ours.map(transform), rivals: rivals.mapValues { $0.map(transform) })
    }
}

extension [Rival] {
    static let newest = [Rival.newest]
    static let unbounded = [Rival.unbounded]
    /// Whichever of the two is better.
    static let better = [Rival.newest, .unbounded]
}
