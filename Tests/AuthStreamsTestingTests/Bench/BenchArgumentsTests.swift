import Testing

@testable import bench

/// What the command line of `bench` means.
@Suite struct BenchArgumentsTests {
    private func run(_ words: String...) -> (suite: Suite, options: Options)? {
        if case .run(let suite, let options) = Arguments(words) { (suite, options) } else { nil }
    }

    private func wrong(_ words: [String]) -> String? {
        if case .wrong(let reason) = Arguments(words) { reason } else { nil }
    }

    @Test func aSuiteAloneHasTheStandardOptions() throws {
        let (suite, options) = try #require(run("streams"))
        #expect(suite.name == "streams")
        #expect(options == Options())
        #expect(options.readers == [1, 10, 100, 1000, 10_000])
        #expect(options.rounds.count >= 5)
    }

    @Test func optionsAreTakenInAnyOrder() throws {
        let (_, options) = try #require(
            run("streams", "--readers", "3", "70", "--json", "--only", "lockstep", "memory", "--rounds", "9"))
        #expect(options.readers == [3, 70])
        #expect(options.isJSON)
        #expect(options.only == ["lockstep", "memory"])
        #expect(options.rounds == Rounds(count: 9, isSmoke: false))
    }

    @Test func readersMakeTheLockstepRows() throws {
        let (suite, options) = try #require(run("streams", "--readers", "3", "70"))
        let ids = suite.measures(options).flatMap(\.ids).filter { $0.hasPrefix("lockstep") }
        #expect(ids == ["lockstep-3", "lockstep-70"])
    }

    @Test func aRowIsWantedByItsNameOrByABeginning() throws {
        let (_, options) = try #require(run("streams", "--only", "lockstep-10", "states"))
        #expect(options.wants("lockstep-10"))
        #expect(!options.wants("lockstep-1000"))
        #expect(options.wants("states-memory"))
        #expect(!options.wants("memory"))
    }

    @Test(
        arguments: [
            ([], "Say what to measure."),
            (["stream"], "nothing called 'stream'"),
            (["streams", "--jsn"], "'--jsn' is not an option."),
            (["streams", "--rounds"], "--rounds needs a number from 5"),
            (["streams", "--rounds", "4"], "--rounds needs a number from 5"),
            (["streams", "--readers"], "--readers needs a number from 1"),
            (["streams", "--readers", "10", "0"], "--readers needs a number from 1"),
            (["streams", "--readers", "ten"], "--readers needs a number from 1"),
            (["streams", "--only"], "--only needs the name of a row."),
            (["streams", "--only", "lockstop"], "There is no row 'lockstop'. The rows are: lockstep-1, "),
            (["streams", "--only", "lockstep-2"], "There is no row 'lockstep-2'."),
            (["load", "theirs", "100", "10"], "load needs a contender."),
            (["load", "ours", "100"], "load needs a number"),
            (["load", "ours", "100", "10", "1"], "load needs a contender and two numbers."),
        ] as [([String], String)])
    func whatIsWrongIsSaid(words: [String], expected: String) throws {
        let complaint = try #require(wrong(words))
        #expect(complaint.contains(expected))
    }

    @Test func aLoadIsNamedAsItIsParsed() throws {
        let load = Load(contender: .states, readers: 7, emissions: 12)
        guard case .load(let parsed) = Arguments(load.words) else {
            Issue.record("\(load.words) is no load.")
            return
        }
        #expect(parsed == load)
    }

    @Test(arguments: [["--help"], ["streams", "-h"]]) func helpIsGiven(words: [String]) {
        guard case .help = Arguments(words) else {
            Issue.record("\(words) asks for help.")
            return
        }
        for suite in Suite.all { #expect(Arguments.usage.contains(suite.name)) }
    }

    @Test func everyRowHasANameOfItsOwn() {
        for suite in Suite.all {
            let ids = suite.measures(Options()).flatMap(\.ids)
            #expect(Set(ids).count == ids.count)
        }
    }
}
