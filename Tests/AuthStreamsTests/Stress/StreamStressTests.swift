import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

/// Races on real threads. They find nothing by luck alone; under ThreadSanitizer they find what is unsynchronized.
@Suite(.serialized) struct StreamStressTests {
    @Test func aCallbackThatRacesWithACancelResolvesOnce() async {
        for _ in 0..<1_000 {
            let held = Promise<AuthCallback<Int>>()
            let task = Task { await outcome(of: AuthStream<Int>.callback(timeLimit: nil) { held.resolve($0) }) }
            let callback = await held.value()
            async let answered: Void = Task { callback?.succeed(1) }.value
            task.cancel()
            let element = await task.value
            await answered
            #expect(element == .success(1) || element?.error?.code == .cancelled)
            #expect(callback?.ignoredCalls == (element == .success(1) ? 0 : 1))
        }
    }

    @Test func tapsThatRaceWithTheEndOfAnAttemptStartOneAtATime() async {
        let (inFlight, most) = (Lock(0), Lock(0))
        let (taps, tap) = AsyncStream<Int>.makeStream()
        let results = taps.flatMapFirst { number in
            AuthStream<Int> {
                let now = inFlight.withLock {
                    $0 += 1
                    return $0
                }
                most.withLock { $0 = max($0, now) }
                await Task.yield()
                inFlight.withLock { $0 -= 1 }
                return number
            }
        }
        let reading = Task {
            var count = 0
            for await _ in results { count += 1 }
            return count
        }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        tap.yield(writer * 500 + number)
                        await Task.yield()
                    }
                }
            }
        }
        tap.finish()
        #expect(await reading.value >= 1)
        #expect(most.withLock { $0 } == 1)
    }

    @Test func leavingAtAnyMomentEndsTheTaskOfFlatMapFirst() async throws {
        for round in 0..<300 {
            let (taps, tap) = AsyncStream<Int>.makeStream()
            let ended = Promise<Void>()
            tap.onTermination = { _ in ended.resolve(()) }
            let reader = Task { [taps = consume taps] () -> Result<Int, AuthError>? in
                for await result in taps.flatMapFirst({ AuthStream.success($0) }) { return result }
                return nil
            }
            tap.yield(1)
            for _ in 0..<round % 5 { await Task.yield() }
            pass(round)
            reader.cancel()
            let result = await reader.value
            #expect(result == nil || result == .success(1), "round \(round)")
            try await wait(for: "the task of round \(round) to end") { ended.current != nil }
            // Otherwise its own release would end the task.
            withExtendedLifetime(tap) {}
        }
    }
}
