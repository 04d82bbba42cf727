/// What the command line asks for.
enum Arguments: Sendable {
    case run(Suite, Options)
    case load(Load)
    case help
    /// What was wrong with it.
    case wrong(String)

    init(_ arguments: some Sequence<String>) {
        var words = Array(arguments)[...]
        if words.contains("--help") || words.contains("-h") {
            self = .help
            return
        }
        do throws(Complaint) {
            guard let name = words.popFirst() else { throw Complaint("Say what to measure.") }
            if name == Load.command {
                self = .load(try Load(&words))
            } else if let suite = Suite.all.first(where: { $0.name == name }) {
                self = .run(suite, try Options(words, for: suite))
            } else {
                throw Complaint("There is nothing called '\(name)' to measure.")
            }
        } catch {
            self = .wrong(error.text)
        }
    }

    static let synopsis = "usage: bench SUITE [--json] [--rounds R] [--readers N…] [--only ROW…] [--smoke]"

    static var usage: String {
        let width = Suite.all.map(\.name.count).max() ?? 0
        let suites = Suite.all.map { suite in
            "  \(suite.name.padded(to: width))  \(suite.summary)"
        }
        return """
            \(synopsis)

            Build it with optimization: swift run -c release bench streams. All rows take some minutes on a quiet machine.

            \(suites.joined(separator: "\n"))

              --rounds R      how often each contender has its turn, at least \(Rounds.minimum); 7 unless given
              --readers N…    readers of the lockstep rows, 1 to \(Options.mostReaders); 1 10 100 1000 10000 unless given
              --only ROW…     these rows only, or all that begin so: lockstep-100, states
              --json          one JSON object per line instead of a table
              --smoke         tiny amounts, once: whether everything runs. Such figures say nothing
              --help          this text

            It ends with 0 when no figure misses what it must be, with 1 when one does, with 2 for bad arguments.
            What this machine or this build cannot measure is said, and counts for nothing.

            The rows of instructions need valgrind. A build with --static-swift-stdlib takes a tenth fewer, for everybody.
            Under valgrind it runs a load without a clock, which is good for other profilers too:
            \(Load.usage)
            """
    }
}

/// Why the command line makes no sense.
struct Complaint: Error {
    let text: String
    init(_ text: String) { self.text = text }
}
