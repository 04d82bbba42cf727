import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct ManualExecutorTests {
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func jobsWaitUntilTheyAreRunAndRunInTheOrderInWhichTheyCame() {
        let executor = ManualExecutor()
        let order = Lock([Int]())
        for number in 0..<100 {
            Task(executorPreference: executor) {
                order.withLock { $0.append(number) }
                await Task.yield()
                order.withLock { $0.append(100 + number) }
            }
        }
        #expect(executor.waitingJobs == 100)
        #expect(order.withLock { $0.isEmpty })
        executor.run()
        #expect(executor.waitingJobs == 0)
        #expect(order.withLock { $0 } == Array(0..<200))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func childTasksAndActorsStayOnIt() {
        let executor = ManualExecutor()
        let home = ObjectIdentifier(Thread.current)
        let counter = Counter()
        let threads = Lock(Set<ObjectIdentifier>())
        let look = { @Sendable in _ = threads.withLock { $0.insert(ObjectIdentifier(Thread.current)) } }
        let task = Task(executorPreference: executor) {
            async let one: Void = look()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { await counter.count(look) } }
            }
            await one
            return await counter.total
        }
        executor.run()
        #expect(threads.withLock { $0 } == [home])
        let total = Lock<Int?>(nil)
        Task(executorPreference: executor) {
            let value = await task.value
            total.withLock { $0 = value }
        }
        executor.run()
        #expect(total.withLock { $0 } == 10)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func actorMayHaveItAsItsOwn() {
        let executor = ManualExecutor()
        let actor = Guest(executor)
        let seen = Lock(false)
        Task(executorPreference: executor) {
            await actor.look()
            seen.withLock { $0 = true }
        }
        executor.run()
        #expect(seen.withLock { $0 })
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func runFromAJobDoesNothing() {
        let executor = ManualExecutor()
        let order = Lock([Int]())
        Task(executorPreference: executor) {
            Task(executorPreference: executor) { order.withLock { $0.append(2) } }
            executor.run()
            order.withLock { $0.append(1) }
        }
        executor.run()
        #expect(order.withLock { $0 } == [1, 2])
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func jobsMayComeFromAnyThread() async {
        let executor = ManualExecutor()
        let count = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { Task(executorPreference: executor) { count.withLock { $0 += 1 } } }
            }
        }
        executor.run()
        #expect(count.withLock { $0 } == 100)
    }
}

private actor Counter {
    var total = 0

    func count(_ look: () -> Void) {
        look()
        total += 1
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private actor Guest {
    private let executor: ManualExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: ManualExecutor) {
        self.executor = executor
    }

    func look() { preconditionIsolated() }
}
