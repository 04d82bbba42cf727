import TestSupport
import Testing

@testable import AuthStreams

@Suite struct AsyncMutexTests {
    @Test func isHandedOnInTheOrderOfAsking() async throws {
        let (lock, order) = (AsyncMutex(), Lock([Int]()))
        let held = try #require(await lock.take())
        var waits: [Task<Void, Never>] = []
        for number in 0..<20 {
            waits.append(
                Task {
                    let held = await lock.take()
                    order.withLock { $0.append(number) }
                    held?.release()
                })
            try await lock.wait(for: number + 1)
        }
        held.release()
        for wait in waits { await wait.value }
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    @Test func isHandedOnPastThoseWhoGaveUp() async throws {
        let lock = AsyncMutex()
        let held = try #require(await lock.take())
        let first = Task { await lock.take() != nil }
        try await lock.wait(for: 1)
        let second = Task { await lock.take() != nil }
        try await lock.wait(for: 2)
        first.cancel()
        #expect(await first.value == false)
        #expect(lock.waiting == 1)
        held.release()
        #expect(await second.value)
        #expect(await lock.take() != nil)
    }

    @Test func aCancelledTaskDoesNotEvenGetAFreeOne() async {
        let lock = AsyncMutex()
        let ask = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await lock.take() != nil
        }
        #expect(await ask.value == false)
        #expect(await lock.take() != nil)
    }

    @Test func isFreeOnceItIsLetGoOf() async {
        let lock = AsyncMutex()
        do { _ = await lock.take() }
        #expect(await lock.take() != nil)
    }
}

extension AsyncMutex {
    /// Waits until so many wait here.
    func wait(for count: Int) async throws {
        try await TestSupport.wait(for: "\(count) tasks to wait for the mutex") { waiting >= count }
    }
}
