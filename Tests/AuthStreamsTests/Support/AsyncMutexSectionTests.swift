import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct AsyncMutexSectionTests {
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func sectionsRunOneAtATimeInTheOrderOfArrival() {
        let (mutex, hold) = (AsyncMutex(), Promise<Void>())
        let executor = ManualExecutor()
        let log = Lock([String]())
        for name in ["a", "b", "c", "d"] {
            Task(executorPreference: executor) {
                await mutex.run {
                    log.withLock { $0.append("\(name) in") }
                    _ = await hold.value()
                    await Task.yield()
                    log.withLock { $0.append("\(name) out") }
                }
            }
        }
        executor.run()
        #expect(log.withLock { $0 } == ["a in"])
        #expect(mutex.waiting == 3)
        hold.resolve(())
        executor.run()
        #expect(log.withLock { $0 } == ["a in", "a out", "b in", "b out", "c in", "c out", "d in", "d out"])
    }

    @Test func aCancelledTaskStillGetsItsTurnAndAThrowingOneLeavesTheMutex() async throws {
        let (mutex, hold) = (AsyncMutex(), Promise<Void>())
        let entered = Promise<Void>()
        let first = Task {
            try await mutex.run { () async throws(AuthError) in
                entered.resolve(())
                _ = await hold.value()
                throw AuthError(.storage, "Full.")
            }
        }
        _ = await entered.value()
        let second = Task { await mutex.run { true } }
        try await wait(for: "the second section to wait for the first") { mutex.waiting > 0 }
        second.cancel()
        hold.resolve(())
        await #expect(throws: AuthError.self) { try await first.value }
        #expect(await second.value)
    }
}
