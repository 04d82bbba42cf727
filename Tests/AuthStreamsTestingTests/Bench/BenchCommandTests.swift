import Testing

@testable import bench

/// What the command line of `bench` means.
@Suite struct BenchCommandTests {
    private func options(_ words: String...) throws -> Options {
        guard case .run(_, let options) = try Command(words) else { throw UsageError("No suite is run.") }
        return options
    }

    @Test func aSuiteAloneHasTheStandardOptions() throws {
        guard case .run(let suite, let options) = try Command(["streams"]) else {
            Issue.record("No suite is run.")
            return
        }
        #expect(suite.name == "streams")
        #expect(options == Options())
        #expect(options.rounds.count >= Rounds.minimum)
    }

    @Test func optionsComeInAnyOrder() throws {
        let options = try options("streams", "--smoke", "--json", "--only", "lockstep", "memory", "--rounds", "9")
        #expect(
            options == Options(rounds: Rounds(count: 9, isSmoke: true), isJSON: true, only: ["lockstep", "memory"]))
    }

    @Test func aRowIsSelectedByItsNameOrByItsBeginning() throws {
        let options = try options("streams", "--only", "lockstep-10", "states")
        #expect(options.selects("lockstep-10"))
        #expect(!options.selects("lockstep-1000"))
        #expect(options.selects("states-memory"))
        #expect(!options.selects("memory"))
    }

    @Test(
        arguments: [
            ([], "Say what to measure."),
            (["stream"], "nothing called 'stream'"),
            (["streams", "--jsn"], "'--jsn' is not an option."),
            (["streams", "--rounds"], "--rounds needs a number of at least 5"),
            (["streams", "--rounds", "4"], "--rounds needs a number of at least 5"),
            (["streams", "--only"], "--only needs the name of a row."),
            (["streams", "--only", "lockstop"], "There is no row 'lockstop'. The rows are: lockstep-1, "),
            (["streams", "--only", "lockstep-2"], "There is no row 'lockstep-2'."),
        ] as [([String], String)])
    func wrongArgumentsAreExplained(words: [String], expected: String) throws {
        let error = #expect(throws: UsageError.self) { _ = try Command(words) }
        #expect(try #require(error).reason.contains(expected))
    }

    @Test(arguments: [["--help"], ["streams", "-h"]]) func helpIsGiven(words: [String]) throws {
        guard case .help = try Command(words) else {
            Issue.record("\(words) asks for help.")
            return
        }
        for suite in Suite.all { #expect(Command.usage.contains(suite.name)) }
    }

    @Test(arguments: Suite.all.map(\.name)) func everyRowHasANameOfItsOwn(suite: String) throws {
        let ids = try #require(Suite.all.first { $0.name == suite }).measures.map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
