import AuthStreams
import TestSupport
import Testing

@Suite struct WaitTests {
    @Test func factThatHasComeAboutIsNotWaitedFor() async throws {
        let task = Task {
            await waitForCancellation()
            // Not even the cancellation of the task counts then.
            try await wait(for: "nothing") { true }
            return true
        }
        task.cancel()
        #expect(try await task.value)
    }

    @Test(arguments: [1, 100, 110]) func conditionIsEvaluatedUntilItHolds(times: Int) async throws {
        var evaluations = 0
        try await wait(for: "\(times) evaluations") {
            evaluations += 1
            return evaluations == times
        }
        #expect(evaluations == times)
    }

    @Test @MainActor func conditionRunsInTheCallersIsolation() async throws {
        var evaluations = 0
        try await wait(for: "110 evaluations") {
            MainActor.assertIsolated()
            evaluations += 1
            return evaluations == 110
        }
        #expect(evaluations == 110)
    }

    @Test func waitInVainIsAnIssueOfTheTestAndThrows() async throws {
        let place = Lock<SourceLocation?>(nil)
        await withKnownIssue {
            let location = #_sourceLocation
            place.withLock { $0 = location }
            await #expect(throws: HangError.self) {
                try await wait(for: "the end of time", limit: .zero, sourceLocation: location) { false }
            }
        } matching: { issue in
            issue.error.map(String.init(describing:))
                == "\(Test.current.map { "\($0.id)" } ?? "") waited for the end of time, in vain for 0 s"
                && issue.sourceLocation == place.withLock { $0 }
        }
    }

    @Test func errorOfTheConditionEndsTheWait() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await wait(for: "a value") { throw Failure() } }
    }

    @Test func cancellationEndsTheWait() async {
        let task = Task { try await wait(for: "the end of time") { false } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancellationEndsAWaitBetweenTwoEvaluations() async {
        let canceller = Promise<Task<Void, any Error>>()
        let task = Task {
            var evaluations = 0
            try await wait(for: "the end of time") {
                evaluations += 1
                if evaluations == 130 { await canceller.value()?.cancel() }
                return false
            }
        }
        canceller.resolve(task)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func waitsAreKnownUntilTheyEnd() async throws {
        let fact = "the end of \(Self.self)"
        func pending() -> [PendingWait] { PendingWait.all.filter { $0.fact == fact } }
        let isOver = Lock(false)
        let task = Task { try await wait(for: fact) { isOver.withLock { $0 } } }
        try await wait(for: "the other wait to begin") { !pending().isEmpty }
        #expect(pending().map(\.test) == [Test.current.map { "\($0.id)" }])
        #expect(pending().first?.place.hasPrefix("TestSupportTests/WaitTests.swift:") == true)
        isOver.withLock { $0 = true }
        try await task.value
        #expect(pending().isEmpty)
    }
}
