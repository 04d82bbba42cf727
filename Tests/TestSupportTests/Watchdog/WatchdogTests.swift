import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct WatchdogTests {
    private let start = SuspendingClock.now

    /// Reads the lines of one second after the other, and returns the second of the first report.
    ///
    /// - Parameter processorTime: What the process uses in each second.
    private func watch(
        limit: Int, _ seconds: [[String]], waits: [PendingWait] = [], using processorTime: Duration = .zero
    ) -> (second: Int, report: String)? {
        var watchdog = Watchdog(limit: limit, clock: ProgressClock(at: start, processorTime: .zero))
        for (second, lines) in seconds.enumerated() {
            let report = watchdog.read(
                lines.map { Data($0.utf8) }, admitted: ["M.S/c()/F.swift:1:2"], waits: waits,
                now: start + .seconds(second), processorTime: processorTime * second)
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
        var watchdog = Watchdog(limit: 3, clock: ProgressClock(at: start, processorTime: .zero))
        let reports = [0, 1000, 1001, 1002].map { second in
            let lines = second == 0 ? [Data(started("a").utf8)] : []
            return watchdog.read(
                lines, admitted: [], waits: [], now: start + .seconds(second), processorTime: .zero)
        }
        #expect(reports.map { $0 == nil } == [true, true, true, false])
    }

    @Test func processWithATenthOfAProcessorHasTenTimesTheTime() {
        let seconds = [[started("a")]] + Array(repeating: [], count: 29)
        #expect(watch(limit: 3, seconds, using: .milliseconds(100)) == nil)
        #expect(watch(limit: 3, seconds + [[]], using: .milliseconds(100))?.second == 30)
    }

    @Test func endlessLoopIsAHang() {
        let seconds = [[started("a")], [], [], []]
        #expect(watch(limit: 3, seconds, using: .seconds(2))?.second == 3)
    }

    @Test func factsThatAreWaitedForAreNamed() throws {
        let waits = [
            wait("the door to open", "b"), wait("the light", "a"), wait("the sun", "ended"), wait("a walk", "a"),
            wait("the rain to end", nil),
        ]
        let outcome = try #require(watch(limit: 1, [[started("a"), started("b")], []], waits: waits))
        #expect(
            outcome.report == """
                ✘ No test has ended for 1 s, so the process is aborted. These have not ended:
                ✘ M.S/a()/F.swift:1:2, after 1 s
                ✘   waits for the light, at F.swift:14
                ✘   waits for a walk, at F.swift:14
                ✘ M.S/b()/F.swift:1:2, after 1 s
                ✘   waits for the door to open, at F.swift:14
                ✘ M.S/ended()/F.swift:1:2 waits for the sun, at F.swift:14
                ✘ A task of no test waits for the rain to end, at F.swift:14

                """)
    }

    private func wait(_ fact: String, _ test: String?) -> PendingWait {
        PendingWait(fact: fact, test: test.map { "M.S/\($0)()/F.swift:1:2" }, place: "F.swift:14")
    }

    #if os(Linux)
        private static let hangs = "AUTHSTREAMS_TEST_HANGS"

        /// Runs only this test in a second test process, where it blocks every thread of the cooperative pool.
        @Test func hangAbortsTheTestProcessAndIsNamed() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard environment[Self.hangs] == nil else {
                let isWaiting = Promise<Void>()
                return await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try? await TestSupport.wait(for: "a day without work", limit: .seconds(30)) {
                            if !PendingWait.all.isEmpty { isWaiting.resolve(()) }
                            return false
                        }
                    }
                    for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                        group.addTask {
                            _ = await isWaiting.value()
                            sleep(30)
                        }
                    }
                }
            }
            let program = try BuiltProgram(
                URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
                ["--testing-library", "swift-testing", "--filter", "hangAbortsTheTestProcessAndIsNamed"],
                // So long that the test has begun to wait, and the threads to be blocked, on however slow a machine.
                environment: [Self.hangs: "1", Watchdog.limitVariable: "5", "SWIFT_BACKTRACE": "enable=no"])
            #expect(await program.status() == SIGABRT)
            #expect(program.errors.contains("✘ No test has ended for 5 s"))
            let lines = program.errors.split(separator: "\n").suffix(2)
            let test = "✘ TestSupportTests.WatchdogTests/hangAbortsTheTestProcessAndIsNamed()"
            #expect(lines.first?.hasPrefix(test) == true)
            #expect(lines.first?.hasSuffix("s, others wait for it") == true)
            let fact = "✘   waits for a day without work, at TestSupportTests/WatchdogTests.swift:"
            #expect(lines.last?.hasPrefix(fact) == true)
        }
    #endif
}
