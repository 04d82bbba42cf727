/// What one contender showed, a sample per round.
struct Samples: Equatable, Sendable {
    private(set) var values: [Double] = []

    init(_ values: [Double] = []) { self.values = values }

    /// Room for that many.
    init(capacity: Int) { values.reserveCapacity(capacity) }

    mutating func add(_ value: Double) { values.append(value) }

    /// The one in the middle; of an even number the mean of the two in the middle; `nil` without samples.
    var median: Double? { quantile(0.5) }

    /// The smallest; `nil` without samples.
    var smallest: Double? { values.min() }

    /// The largest; `nil` without samples.
    var largest: Double? { values.max() }

    /// The value below which that share of the samples lies, interpolated.
    func quantile(_ share: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let place = share * Double(sorted.count - 1)
        let below = Int(place.rounded(.down))
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }

    /// The samples, changed one by one.
    func map(_ transform: (Double) -> Double) -> Samples { Samples(values.map(transform)) }

    /// Each sample divided by the one of the same round.
    func dividedInTurn(by others: Samples) -> Samples { Samples(zip(values, others.values).map { $0 / $1 }) }
}
