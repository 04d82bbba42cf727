import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct WatchdogTests {
    private let start = SuspendingClock.now

    /// Reads the lines of one second after the other, and returns the second of the first report.
    private func watch(limit: Int, _ seconds: [[String]]) -> (second: Int, report: String)? {
        var watchdog = Watchdog(limit: limit, at: start)
        for (second, lines) in seconds.enumerated() {
            let lines = lines.map { Data($0.utf8) }
            let report = watchdog.read(lines, admitted: ["M.S/c()/F.swift:1:2"], now: start + .seconds(second))
            if let report { return (second, report) }
        }
        return nil
    }

    private func event(_ kind: String, _ test: String) -> String {
        #"{"kind":"event","payload":{"instant":{"absolute":1},"kind":"\#(kind)","messages":[],"testID":"\#(test)"}}"#
    }

    private func started(_ test: String) -> String { event("testStarted", "M.S/\(test)()/F.swift:1:2") }
    private func ended(_ test: String) -> String { event("testEnded", "M.S/\(test)()/F.swift:1:2") }

    @Test func testsThatHaveNotEndedAreNamedWithTheirTimes() throws {
        let seconds = [[started("a"), started("b")], [started("c")], [ended("b")], [], [], []]
        let outcome = try #require(watch(limit: 3, seconds))
        #expect(outcome.second == 5)
        #expect(
            outcome.report == """
                ✘ No test has ended for 3 s, so the process is aborted. These have not ended:
                ✘ M.S/a()/F.swift:1:2, after 5 s
                ✘ M.S/c()/F.swift:1:2, after 4 s, others wait for it

                """)
    }

    @Test(arguments: ["testEnded", "testSkipped", "testCancelled", "testCaseEnded"])
    func everyKindOfEndCounts(kind: String) {
        let end = event(kind, "M.S/b()/F.swift:1:2")
        let seconds = [[started("a"), started("b")], [], [end], []]
        #expect(watch(limit: 3, seconds) == nil)
        #expect(watch(limit: 3, seconds + [[]]) == nil)
        #expect(watch(limit: 3, seconds + [[], []])?.second == 5)
    }

    @Test func suitesAndIssuesAreNoEnds() {
        let lines = [event("testEnded", "M.S"), event("issueRecorded", "M.S/a()/F.swift:1:2"), #"{"kind":"test"}"#, ""]
        #expect(watch(limit: 2, [[started("a")], lines, lines])?.second == 2)
    }

    @Test func idleProcessDoesNotHang() {
        let idle = [[], [], [], [event("testStarted", "M.S")], [], []]
        #expect(watch(limit: 2, idle) == nil)
        #expect(watch(limit: 2, [[started("a")], [ended("a")]] + idle) == nil)
    }

    @Test func stoppedProcessDoesNotHang() {
        var watchdog = Watchdog(limit: 3, at: start)
        #expect(watchdog.read([Data(started("a").utf8)], admitted: [], now: start) == nil)
        #expect(watchdog.read([], admitted: [], now: start + .seconds(1000)) == nil)
        #expect(watchdog.read([], admitted: [], now: start + .seconds(1001)) == nil)
        #expect(watchdog.read([], admitted: [], now: start + .seconds(1002)) != nil)
    }

    #if os(Linux)
        private static let hangs = "AUTHSTREAMS_TEST_HANGS"

        /// Runs only this test in a second test process, where it blocks every thread of the cooperative pool.
        @Test func hangAbortsTheTestProcessAndIsNamed() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard environment[Self.hangs] == nil else {
                return await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                        group.addTask { sleep(30) }
                    }
                }
            }
            let program = try BuiltProgram(
                URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
                ["--testing-library", "swift-testing", "--filter", "hangAbortsTheTestProcessAndIsNamed"],
                environment: [Self.hangs: "1", Watchdog.limit: "1", "SWIFT_BACKTRACE": "enable=no"])
            #expect(await program.status() == SIGABRT)
            #expect(program.errors.contains("✘ No test has ended for 1 s"))
            let line = program.errors.split(separator: "\n").last
            #expect(line?.hasPrefix("✘ TestSupportTests.WatchdogTests/hangAbortsTheTestProcessAndIsNamed()") == true)
            #expect(line?.hasSuffix("s, others wait for it") == true)
        }
    #endif
}
