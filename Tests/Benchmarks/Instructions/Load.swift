/// Lockstep without a clock, for a profiler to watch.
struct Load: Equatable, Sendable {
    /// Who delivers.
    enum Contender: String, CaseIterable, Sendable {
        case ours, states, newest, unbounded
    }

    static let command = "load"
    static let usage = """
          bench load CONTENDER READERS EMISSIONS    sends to that many readers in lockstep, so many times;
                                                    contenders: \(Contender.allCases.map(\.rawValue).joined(separator: ", "))
        """

    var contender = Contender.ours
    var readers = 100
    var emissions: Int

    /// The words behind the command.
    var words: [String] { [Self.command, contender.rawValue, String(readers), String(emissions)] }

    func run() async {
        switch contender {
        case .ours: await run(on: BroadcastChannel())
        case .states: await run(on: StatesChannel())
        case .newest: await run(on: AsyncStreamHub(0, .bufferingNewest(1)))
        case .unbounded: await run(on: AsyncStreamHub(0, .unbounded))
        }
    }

    private func run(on channel: some Channel) async {
        consume(await Lockstep(readers: readers, emissions: emissions).cost(on: channel))
    }
}

extension Load {
    /// - Throws: What is wrong with the words.
    init(_ words: inout ArraySlice<String>) throws(Complaint) {
        guard let name = words.popFirst(), let contender = Contender(rawValue: name) else {
            throw Complaint("\(Self.command) needs a contender.")
        }
        let readers = try words.popNumber(from: 1, to: Options.mostReaders, for: Self.command)
        let emissions = try words.popNumber(from: 1, to: 1_000_000_000, for: Self.command)
        guard words.isEmpty else { throw Complaint("\(Self.command) needs a contender and two numbers.") }
        self.init(contender: contender, readers: readers, emissions: emissions)
    }
}
