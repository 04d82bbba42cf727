/// What meets prompts in a schedule, and is seldom met by chance.
enum Encounter: String, CaseIterable, Sendable {
    case prompt = "prompts"
    case promptOfChange = "of changes"
    case acceptedAnswer = "answers accepted"
    case secondStep = "second steps"
    case wrongAnswer = "wrong answers"
    case secondAnswer = "second answers"
    case lateAnswer = "late answers"
    case anotherCode = "other codes sent"
    case failedAnswer = "answers that met the network's faults"
    case lostAcceptance = "accepted answers whose answer was lost"
    case cancelled = "cancelled by the person"
    case expired = "expired"
    case superseded = "superseded"
    case callCancelled = "calls cancelled"
    case notPresented = "without a presenter"
    case presenterBack = "presenters that came back"
    case secondPresenter = "presenters beside another"
    case signOut = "sign-outs meanwhile"
    case token = "tokens handed out meanwhile"
    case frozen = "processes stopped meanwhile"
    case killed = "processes killed meanwhile"
    case released = "services released meanwhile"
    case session = "attempts that succeeded"
}

/// How often each encounter was met.
struct Encounters: Sendable {
    private var counts = [Int](repeating: 0, count: Encounter.allCases.count)

    subscript(encounter: Encounter) -> Int {
        get { counts[Self.places[encounter] ?? 0] }
        set { counts[Self.places[encounter] ?? 0] = newValue }
    }

    mutating func add(_ other: Encounters) {
        for place in counts.indices { counts[place] += other.counts[place] }
    }

    /// Those that were never met.
    var missing: [Encounter] { Encounter.allCases.filter { self[$0] == 0 } }

    private static let places = Dictionary(uniqueKeysWithValues: zip(Encounter.allCases, 0...))
}

extension Encounters: CustomStringConvertible {
    /// One line: `prompts 512, of changes 97, …`.
    var description: String { Encounter.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ") }
}
