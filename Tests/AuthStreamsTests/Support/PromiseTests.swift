import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct PromiseTests {
    @Test func valueThatCameFirstIsKept() async {
        let shot = Promise<Int>()
        #expect(shot.current == nil)
        #expect(shot.resolve(1))
        #expect(shot.current == 1)
        #expect(await shot.value() == 1)
        #expect(await shot.value() == 1)
    }

    @Test func secondValueIsDropped() async {
        let shot = Promise<Int>()
        #expect(shot.resolve(1))
        #expect(!shot.resolve(2))
        #expect(await shot.value() == 1)
    }

    @Test func everyWaiterIsWoken() async {
        let shot = Promise<Int>()
        let waiters = (0..<50).map { _ in Task { await shot.value() } }
        shot.resolve(1)
        for waiter in waiters { #expect(await waiter.value == 1) }
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func waitersAreWokenInTheOrderInWhichTheyCame() {
        let shot = Promise<Int>()
        let executor = ManualExecutor()
        let woken = Lock<[Int]>([])
        for number in 0..<50 {
            _ = Task(executorPreference: executor) {
                _ = await shot.value()
                woken.withLock { $0.append(number) }
            }
        }
        executor.run()
        shot.resolve(1)
        executor.run()
        #expect(woken.withLock { $0 } == Array(0..<50))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func cancellationOfOneLeavesTheOthers() async {
        let shot = Promise<Int>()
        let executor = ManualExecutor()
        let waiters = (0..<3).map { _ in Task(executorPreference: executor) { await shot.value() } }
        executor.run()
        waiters[1].cancel()
        executor.run()
        #expect(await waiters[1].value == nil)
        shot.resolve(7)
        executor.run()
        #expect(await waiters[0].value == 7)
        #expect(await waiters[2].value == 7)
    }

    @Test func cancelledBeforeWaitingDoesNotWait() async {
        let shot = Promise<Int>()
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shot.value()
        }
        #expect(await waiter.value == nil)
    }

    @Test func valueThatIsThereWinsOverCancellation() async {
        let shot = Promise<Int>()
        shot.resolve(7)
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shot.value()
        }
        #expect(await waiter.value == 7)
    }

    /// A waiter resumed twice traps, one never resumed runs into the time limit.
    @Test func cancelRacingResolveResumesOnce() async {
        var outcomes: Set<Int?> = []
        for _ in 0..<10_000 {
            let shot = Promise<Int>()
            let waiter = Task { await shot.value() }
            let resolver = Task { shot.resolve(7) }
            waiter.cancel()
            #expect(await resolver.value)
            outcomes.insert(await waiter.value)
            #expect(shot.current == 7)
        }
        #expect(outcomes.isSubset(of: [7, nil]))
    }

    @Test func whatItHeldIsGivenBack() async {
        final class Marker: Sendable {}
        weak var marker: Marker?
        do {
            let shot = Promise<Marker>()
            let value = Marker()
            marker = value
            shot.resolve(value)
            #expect(await shot.value() === value)
        }
        #expect(marker == nil)
    }
}
