import AuthStreamsTesting
import Testing

@Suite struct ProgressClockTests {
    private let start = SuspendingClock.now

    /// The time that the clock counts while the process uses some processor time in each of ten steps.
    private func count(_ step: Duration, using processorTime: Duration) -> Duration {
        var clock = ProgressClock(at: start, processorTime: .seconds(7))
        for count in 1...10 {
            clock.advance(to: start + step * count, processorTime: .seconds(7) + processorTime * count)
        }
        return clock.elapsed
    }

    @Test func idleProcessAdvancesWithTime() {
        #expect(count(.seconds(1), using: .zero) == .seconds(10))
        #expect(count(.seconds(1), using: .milliseconds(49)) == .seconds(10))
    }

    @Test func starvedProcessAdvancesWithItsProcessorTime() {
        #expect(count(.seconds(1), using: .milliseconds(100)) == .seconds(1))
        #expect(count(.seconds(60), using: .milliseconds(100)) == .seconds(1))
    }

    @Test func endlessLoopAdvancesWithTime() {
        #expect(count(.seconds(1), using: .seconds(1)) == .seconds(10))
        #expect(count(.seconds(1), using: .seconds(8)) == .seconds(10))
    }

    @Test func stoppedProcessAdvancesByOneTick() {
        #expect(count(.seconds(1000), using: .zero) == .seconds(10))
    }

    @Test func shortStepsAreCountedTogether() {
        #expect(count(.milliseconds(250), using: .milliseconds(5)) == .seconds(2))
        #expect(count(.milliseconds(250), using: .milliseconds(100)) == .milliseconds(800))
    }

    @Test func loopUsesTheTimeOfItsThreadAndOfTheProcess() {
        let (process, thread) = (ProcessorTime.ofProcess, ProcessorTime.ofThread)
        while ProcessorTime.ofThread - thread < .milliseconds(1) {}
        #expect(ProcessorTime.ofProcess - process >= .milliseconds(1))
    }
}
