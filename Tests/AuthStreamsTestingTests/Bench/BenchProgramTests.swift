#if os(macOS) || os(Linux)
    import AuthStreams
    import Foundation
    import TestSupport
    import Testing

    @testable import bench

    /// Runs the built `bench` as a person does.
    @Suite(.limitedParallelization) struct BenchProgramTests {
        @Test(arguments: [[], ["stream"], ["streams", "--rounds", "1"]])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try BuiltProgram("bench", arguments)
            #expect(await program.status() == 2)
            #expect(program.errors.contains("usage: bench"))
            #expect(program.output.isEmpty)
        }

        @Test func helpGoesToTheOutput() async throws {
            let program = try BuiltProgram("bench", ["--help"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("--only ROW…"))
        }

        @Test(arguments: TestVolume.of(["chain"], full: Suite.all.map(\.name))) func everyRowCanBeMeasured(
            suite: String
        ) async throws {
            let rows = try #require(Suite.all.first { $0.name == suite }).measures.map(\.id)
            let program = try BuiltProgram("bench", [suite, "--smoke", "--json"])
            #expect(await program.status() == 0)
            let lines = try program.output.split(separator: "\n").map {
                try JSONDecoder().decode(AuthJSON.self, from: Data($0.utf8))
            }
            #expect(lines.dropLast().map { $0["id"]?.string } == rows)
            for line in lines.dropLast() where canMeasure(line["id"]?.string ?? "") {
                #expect(line["figure"] != nil && line["verdict"] != "not measured", "\(line)")
            }
            #expect(lines.last?["isSmoke"] == true)
            #expect(lines.last?["isOK"] == true)
        }

        private func canMeasure(_ row: String) -> Bool {
            #if canImport(Glibc)
                true
            #else
                !row.hasSuffix("memory") && !row.hasSuffix("backlog")
            #endif
        }
    }
#endif
