/// What a figure must be, and what it may well be.
enum Bound: Equatable, Sendable {
    /// More is better.
    case atLeast(must: Double, aim: Double)
    /// Less is better.
    case atMost(must: Double, aim: Double)

    var must: Double {
        switch self {
        case .atLeast(let must, _), .atMost(let must, _): must
        }
    }

    var aim: Double {
        switch self {
        case .atLeast(_, let aim), .atMost(_, let aim): aim
        }
    }

    /// The sign between a figure and its bound.
    var sign: String {
        switch self {
        case .atLeast: "≥"
        case .atMost: "≤"
        }
    }

    /// How a figure stands. One that is not a number is no figure.
    func verdict(on figure: Double) -> Verdict {
        guard figure.isFinite else { return .notMeasured }
        return if holds(figure, aim) { .aim } else if holds(figure, must) { .must } else { .missed }
    }

    private func holds(_ figure: Double, _ limit: Double) -> Bool {
        switch self {
        case .atLeast: figure >= limit
        case .atMost: figure <= limit
        }
    }
}

/// How a figure stands against its bound.
enum Verdict: String, Equatable, Sendable {
    case aim = "aim"
    case must = "must"
    case missed = "MISSED"
    case notMeasured = "not measured"
    /// What was to be measured did not work, which is worse than any figure.
    case failed = "FAILED"

    /// For programs.
    var name: String {
        switch self {
        case .aim: "aim"
        case .must: "must"
        case .missed: "missed"
        case .notMeasured: "notMeasured"
        case .failed: "failed"
        }
    }
}
