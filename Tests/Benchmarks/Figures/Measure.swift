/// The measures of `bench` under one name.
struct Suite: Sendable {
    let name: String
    /// What is compared with what.
    let summary: String
    /// The columns of the table beside ours.
    let rivals: [Contender]
    let measures: [Measure]

    static let all: [Suite] = [.streams, .chain, .sessions, .oauth, .emulator]
}

/// A column of the table.
enum Contender: String, Sendable {
    case ours
    /// One `AsyncStream` per reader that keeps the newest element.
    case newest = "newest 1"
    /// One `AsyncStream` per reader that keeps all elements.
    case unbounded
    /// The same HTTP calls without the library, or to a server that refuses everything.
    case bare
    /// The same HTTP calls, each `POST` over a connection of its own, as the library sends it on Linux.
    case fresh = "bare, fresh"
    /// One lock, acquired and released, and one reading of the clock.
    case lockAndClock = "lock + clock"
    /// A program of no statement.
    case empty
    /// libcrypto, called directly with a key that is kept.
    case libcrypto
    /// The same, before most of the work.
    case early
    /// A server whose answers are constants.
    case constant
    /// A signature alone, with a key that is kept.
    case keptKey = "kept key"
    /// An actor that holds a token, and a `Task` for the refresh that its callers share.
    case actor
}

/// The samples of each contender, one per round; less is better.
typealias Samples = [Contender: [Double]]

/// One row of the table: a quantity, how it is measured, and the bound of its figure.
struct Measure: Sendable {
    /// For `--only` and for programs: `lockstep-100`.
    let id: String
    /// For people: `Broadcast<Int>, lockstep, 100 readers`.
    let title: String
    /// The unit of the samples.
    let unit: String
    var figure = Figure.amount
    let bound: Bound
    let run: @Sendable (Rounds) async throws -> Samples

    func row(_ rounds: Rounds) async -> Row {
        do { return Row(measure: self, samples: try await run(rounds)) } catch {
            return Row(measure: self, error: error)
        }
    }
}

/// The number that is judged.
enum Figure: Equatable, Sendable {
    /// Ours, in the unit of the samples.
    case amount
    /// How many times as much ours costs.
    case cost(beside: Contender)
    /// How many times as much the best of the others costs.
    case gain(over: [Contender])

    /// - Returns: `nil` without the samples that it is made of.
    func value(of samples: Samples) -> Double? {
        guard let ours = samples[.ours]?.median else { return nil }
        switch self {
        case .amount: return ours
        case .cost(let rival): return samples[rival]?.median.map { ours / $0 }
        case .gain(let rivals):
            let others = rivals.compactMap { samples[$0]?.median }
            return others.min().map { $0 / ours }
        }
    }
}

/// A measured row.
struct Row: Sendable {
    let measure: Measure
    var samples: Samples = [:]
    /// Why there are no samples.
    var error: (any Error)?

    var figure: Double? { measure.figure.value(of: samples).flatMap { $0.isFinite ? $0 : nil } }
    var unit: String { measure.figure == .amount ? measure.unit : "x" }

    var verdict: Verdict {
        switch error {
        case is Unavailable: .notMeasured
        case .some: .failed
        case nil: figure.map(measure.bound.verdict) ?? .notMeasured
        }
    }
}

/// Why this machine cannot measure a row.
struct Unavailable: Error, CustomStringConvertible {
    let description: String
}

/// Why a figure would have no meaning.
struct Mistake: Error, CustomStringConvertible {
    let description: String
}
