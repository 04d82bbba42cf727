import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

@Suite struct AsyncSemaphoreTests {
    @Test func admitsTheCountAtOnceAndEveryTaskInTheEnd() async {
        let semaphore = AsyncSemaphore(count: 3)
        let (running, most, done) = (Lock(0), Lock(0), Lock(0))
        let isFull = Promise<Void>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    guard (try? await semaphore.wait()) != nil else { return }
                    let now = running.withLock {
                        $0 += 1
                        return $0
                    }
                    most.withLock { $0 = max($0, now) }
                    if now == 3 { isFull.resolve(()) }
                    await isFull.value()
                    running.withLock { $0 -= 1 }
                    done.withLock { $0 += 1 }
                    semaphore.signal()
                }
            }
        }
        #expect(most.withLock { $0 } == 3)
        #expect(done.withLock { $0 } == 50)
    }

    @Test func cancelledTaskTakesNoPlace() async throws {
        let semaphore = AsyncSemaphore(count: 1)
        try await semaphore.wait()
        let waiting = Task { try await semaphore.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        semaphore.signal()
        try await semaphore.wait()
    }
}

@Suite struct ResourceLimitTests {
    @Test func bodyWithinAnotherDoesNotWait() async throws {
        let limit = ResourceLimit(count: 1)
        let value = try await limit.run { try await limit.run { 1 } }
        #expect(value == 1)
    }

    @Test func nextBodyRunsAfterOneThatThrew() async throws {
        struct Failure: Error {}
        let limit = ResourceLimit(count: 1)
        await #expect(throws: Failure.self) { try await limit.run { throw Failure() } }
        try await limit.run {}
    }

    @Test func emulatorWithinAnotherDoesNotWait() async throws {
        let hosts = try await withEmulator { _ in
            try await withEmulator { _ in
                try await withEmulator { inner in inner.baseURL.host() }
            }
        }
        #expect(hosts == "127.0.0.1")
    }
}
