/// One line of the table: a quantity, what each contender showed, and the one figure that is judged.
struct Row: Equatable, Sendable {
    /// For `--only` and for programs: `lockstep-100`.
    let id: String
    /// For people: `lockstep, 100 readers`.
    let quantity: String
    /// Of what the contenders showed.
    let unit: String
    var ours: Samples?
    var rivals: [Rival: Samples] = [:]
    /// What is judged: a ratio, or ours.
    let figure: Double?
    /// Of the figure.
    let figureUnit: String
    let bound: Bound
    /// What a reader of the table should know; the reason when there is no figure.
    var note: String?
    /// Whether what was to be measured did not even work.
    var hasFailed = false

    var verdict: Verdict { hasFailed ? .failed : figure.map(bound.verdict) ?? .notMeasured }
}

extension Row {
    /// Ours against rivals; the figure says how many times more the better of them costs.
    init(
        _ id: String, _ quantity: String, unit: String, _ comparison: Comparison, against rivals: [Rival],
        _ bound: Bound
    ) {
        self.init(
            id: id, quantity: quantity, unit: unit, ours: comparison.ours, rivals: comparison.rivals,
            figure: comparison.ratio(against: rivals), figureUnit: "x", bound: bound)
    }

    /// Ours alone is judged; rivals stand beside it for comparison.
    init(_ id: String, _ quantity: String, unit: String, ours: Samples, _ bound: Bound) {
        self.init(
            id: id, quantity: quantity, unit: unit, ours: ours, figure: ours.median, figureUnit: unit, bound: bound)
    }

    /// A quantity that this machine, or this build, cannot measure.
    init(_ id: String, _ quantity: String, notMeasured reason: String, _ bound: Bound) {
        self.init(id: id, quantity: quantity, unit: "", figure: nil, figureUnit: "", bound: bound, note: reason)
    }

    /// A quantity of something that did not work.
    init(_ id: String, _ quantity: String, failed reason: String, _ bound: Bound) {
        self.init(id, quantity, notMeasured: reason, bound)
        hasFailed = true
    }
}
