import TestSupport
import Testing

@Suite struct LimitedParallelizationTests {
    /// The traits that limit how many tests run at a time. Of those with the simulated device, one does.
    private static let traits = [".limitedParallelization", ".appleDevice"]

    /// A test that opens a socket or starts a process directly. ``withEmulator(_:_:)`` is limited without the trait.
    private static let resources: Set<String> = [
        "Emulator.start", "LoopbackRedirect", "LoopbackServer.start", "Process", "SystemBrowser",
        "SystemBrowserLauncher", "processExitsWith", "socket",
    ]

    /// The tests among the files that use sockets or processes, directly or by helpers, and have none of the traits.
    private func unlimitedTests(in files: [String: String]) -> [String] {
        let modules = Dictionary(grouping: files) { $0.key.split(separator: "/").dropFirst().first ?? "" }
            .mapValues { files in files.flatMap { Declaration.all(in: $0.value) } }
        let support = helpers(among: modules["TestSupport"] ?? [], using: Self.resources)
        return modules.flatMap { module, declarations in
            let users = helpers(among: declarations, using: support)
            let limited = Set(
                declarations.filter { declaration in Self.traits.contains { declaration.text.contains($0) } }.map(
                    \.name))
            return
                declarations
                .filter { $0.isTest && !$0.words.isDisjoint(with: users) && !limited.contains($0.name) }
                .map { "\(module).\($0.name)" }
        }
    }

    /// The names that use one of the names given, and those themselves.
    private func helpers(among declarations: [Declaration], using names: Set<String>) -> Set<String> {
        let users = declarations.filter { !$0.isTest && !$0.words.isDisjoint(with: names) }.map(\.name)
        let all = names.union(users)
        return all.count == names.count ? names : helpers(among: declarations, using: all)
    }

    @Test func everyTestThatUsesSocketsOrProcessesIsLimited() throws {
        let files = try sourceFiles(below: "Tests")
        #expect(!files.isEmpty)
        #expect(unlimitedTests(in: files).sorted() == [])
    }

    @Test func testWithoutTheTraitIsFound() {
        let files = [
            "Tests/TestSupport/Program.swift": "final class Program {\n    let process = Process()\n}\n",
            "Tests/ATests/Helper.swift": "#if os(Linux)\n    func start() -> Program { Program() }\n#endif\n",
            "Tests/ATests/Tests.swift": """
            @Suite(.limitedParallelization)
            struct Limited {
                @Test func run() { start() }
            }

            extension Limited {
                @Test func runAgain() { start() }
            }

            @Suite struct Unlimited {
                @Test func run() { start() }
            }

            @Test(arguments: [
                1
            ])
            func unlimited(number: Int) { Emulator.start() }

            // start()
            @Suite struct Other {
                @Test func restart() {}
            }
            """,
            "Tests/BTests/Tests.swift": "@Test func start() {}\n@Test func other() { start() }\n",
        ]
        #expect(unlimitedTests(in: files).sorted() == ["ATests.Unlimited", "ATests.unlimited"])
    }
}
