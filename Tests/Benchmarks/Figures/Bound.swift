/// What a figure must be, and what it should be.
enum Bound: Equatable, Sendable, Encodable {
    /// More is better.
    case atLeast(must: Double, aim: Double)
    /// Less is better.
    case atMost(must: Double, aim: Double)

    func verdict(on figure: Double) -> Verdict {
        let (holdsMust, holdsAim) =
            switch self {
            case .atLeast(let must, let aim): (figure >= must, figure >= aim)
            case .atMost(let must, let aim): (figure <= must, figure <= aim)
            }
        return holdsAim ? .aim : holdsMust ? .must : .missed
    }

    /// Both limits, as the table shows them.
    var columns: [String] {
        switch self {
        case .atLeast(let must, let aim): ["≥ \(must)", "≥ \(aim)"]
        case .atMost(let must, let aim): ["≤ \(must)", "≤ \(aim)"]
        }
    }
}

/// How a figure compares with its bound.
enum Verdict: String, CaseIterable, Sendable {
    case aim
    case must
    case missed
    case notMeasured = "not measured"
    /// The measured operation did not work.
    case failed
}
