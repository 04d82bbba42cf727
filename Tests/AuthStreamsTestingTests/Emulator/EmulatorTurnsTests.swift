import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

@Suite struct EmulatorTurnsTests {
    @Test func noMoreThanTheCountRunAtOnceAndEveryoneGetsATurn() async {
        let turns = EmulatorTurns(count: 3)
        let (running, most, done) = (Lock(0), Lock(0), Lock(0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    guard (try? await turns.take()) != nil else { return }
                    let now = running.withLock {
                        $0 += 1
                        return $0
                    }
                    most.withLock { $0 = max($0, now) }
                    await Task.yield()
                    running.withLock { $0 -= 1 }
                    done.withLock { $0 += 1 }
                    turns.giveBack()
                }
            }
        }
        #expect(most.withLock { $0 } <= 3)
        #expect(done.withLock { $0 } == 50)
    }

    @Test func whoIsCancelledWhileWaitingLosesNobodysTurn() async throws {
        let turns = EmulatorTurns(count: 1)
        try await turns.take()
        let waiting = Task { try await turns.take() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        turns.giveBack()
        try await turns.take()
    }

    @Test func anEmulatorWithinAnotherDoesNotWait() async throws {
        try await withEmulator { _ in
            try await withEmulator { inner in #expect(inner.baseURL.host() == "127.0.0.1") }
        }
    }
}
