#if os(macOS) || os(Linux)
    import AuthStreams
    import Foundation
    import TestSupport
    import Testing

    @testable import bench

    /// Runs the built `bench` as a person does.
    @Suite(.limitedParallelization) struct BenchProgramTests {
        @Test(arguments: [[], ["stream"], ["streams", "--rounds", "1"], ["load"]])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try BuiltProgram("bench", arguments)
            #expect(await program.status() == 2)
            #expect(program.errors.contains("usage: bench"))
            #expect(program.output.isEmpty)
        }

        @Test func helpGoesToTheOutput() async throws {
            let program = try BuiltProgram("bench", ["--help"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("--readers N…"))
        }

        @Test(arguments: [Suite.streams, .chain, .sessions].map(\.name)) func everyRowCanBeMeasured(suite: String)
            async throws
        {
            // Valgrind takes its time, and need not be there.
            let rows = try #require(Suite.all.first { $0.name == suite }).measures(Options()).flatMap(\.ids)
                .filter { !$0.hasSuffix("instructions") }
            let program = try BuiltProgram("bench", [suite, "--smoke", "--json", "--only"] + rows)
            #expect(await program.status() == 0)
            let lines = try program.output.split(separator: "\n").map {
                try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
            }
            #expect(lines.dropLast().map { $0["id"]?.string } == rows)
            #expect(lines.dropLast().allSatisfy { $0["type"] == "row" })
            for line in lines.dropLast() where isMeasurable(line["id"]?.string ?? "") {
                #expect(line["figure"] != nil && line["verdict"] != "notMeasured", "\(line)")
            }
            #expect(lines.last?["type"] == "summary")
            #expect(lines.last?["smoke"] == true)
        }

        private func isMeasurable(_ row: String) -> Bool {
            #if canImport(Glibc) && arch(x86_64)
                true
            #else
                !row.contains("allocations") && !row.hasSuffix("memory") && !row.hasSuffix("unheard")
            #endif
        }
    }
#endif
