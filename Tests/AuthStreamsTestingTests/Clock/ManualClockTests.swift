import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct ManualClockTests {
    @Test func timeStandsStillUntilItIsMoved() {
        let clock = ManualClock()
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(3))
        clock.advance(by: .seconds(-1))
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func sleeperWakesAtItsDeadlineAndNotBefore() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(9999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleeperCount == 0)
        try await sleeper.value
    }

    @Test func passedDeadlineReturnsAtOnce() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        #expect(clock.now.offset == .seconds(5))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func sleepersWakeByDeadlineAndInOrderOfArrivalAmongEquals() {
        let clock = ManualClock()
        let executor = ManualExecutor()
        let woken = Lock([Int]())
        for (index, seconds) in [30, 10, 20, 10, 30, 10].enumerated() {
            Task(executorPreference: executor) {
                try await clock.sleep(until: .init(offset: .seconds(seconds)))
                woken.withLock { $0.append(index) }
            }
        }
        executor.run()
        clock.advance(by: .seconds(30))
        executor.run()
        #expect(woken.withLock { $0 } == [1, 3, 5, 2, 0, 4])
    }

    @Test func stepToTheNextSleeperSaysHowFarItWent() async throws {
        let clock = ManualClock()
        #expect(clock.advanceToNextSleeper() == nil)
        let sleeper = Task { try await clock.sleep(for: .seconds(7)) }
        await clock.waitForSleepers(count: 1)
        #expect(clock.advanceToNextSleeper() == .seconds(7))
        try await sleeper.value
        #expect(clock.now.offset == .seconds(7))
    }

    @Test func cancelledSleepEndsWithCancellationErrorAndNoLongerCounts() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(count: 1)
        sleeper.cancel()
        #expect(clock.sleeperCount == 0)
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func taskCancelledBeforeItSleepsNeverSleeps() async {
        let clock = ManualClock()
        let sleeper = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func watcherThatIsCancelledGoesOn() async {
        let clock = ManualClock()
        let watcher = Task { await clock.waitForSleepers(count: 1) }
        watcher.cancel()
        await watcher.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func dateOfTheAuthClockMovesWithIt() async throws {
        let clock = ManualClock()
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let auth = clock.authClock(startingAt: start)
        clock.advance(by: .milliseconds(1500))
        #expect(auth.date == start.addingTimeInterval(1.5))
        #expect(auth.uptime == .milliseconds(1500))
        let sleeper = Task { try await auth.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(count: 1)
        #expect(clock.advanceToNextSleeper() == .seconds(2))
        try await sleeper.value
    }

    /// A continuation resumed twice traps, and one never resumed hangs this test.
    @Test func everySleepEndsExactlyOnceWhenWakingAndCancellingRace() async {
        let clock = ManualClock()
        let ends = Lock((woken: 0, cancelled: 0))
        await withTaskGroup(of: Void.self) { group in
            var sleepers: [Task<Void, Never>] = []
            for index in 0..<400 {
                sleepers.append(
                    Task {
                        do {
                            try await clock.sleep(for: .seconds(1 + index % 7))
                            ends.withLock { $0.woken += 1 }
                        } catch {
                            ends.withLock { $0.cancelled += 1 }
                        }
                    })
            }
            group.addTask { for _ in 0..<7 { clock.advance(by: .seconds(1)) } }
            group.addTask { [sleepers] in for sleeper in sleepers.reversed() { sleeper.cancel() } }
            group.addTask { [sleepers] in for sleeper in sleepers { await sleeper.value } }
        }
        #expect(ends.withLock { $0.woken + $0.cancelled } == 400)
        #expect(clock.sleeperCount == 0)
    }
}
