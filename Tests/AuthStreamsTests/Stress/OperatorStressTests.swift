import TestSupport
import Testing

@testable import AuthStreams

/// Races of operators on real threads: what trips them is a trap, a hang, or an object that stays.
@Suite(.serialized) struct OperatorStressTests {
    /// Delivers its number a few times. Its iteration counts itself while it is alive.
    private struct Burst: AsyncSequence, Sendable {
        let number: Int
        let count: Int
        let live: Lock<Int>

        struct AsyncIterator: AsyncIteratorProtocol {
            let burst: Burst
            let witness: Witness
            var delivered = 0

            mutating func next() async -> Int? {
                guard delivered < burst.count else { return nil }
                delivered += 1
                if delivered.isMultiple(of: 2) { await Task.yield() }
                return burst.number
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(burst: self, witness: Witness(live)) }
    }

    /// Waits for an endless attempt, which only its cancellation ends.
    private static func endless(_ live: Lock<Int>) -> AuthStream<Void> {
        AuthStream {
            let witness = Witness(live)
            _ = await Promise<Void>().value()
            withExtendedLifetime(witness) {}
            throw CancellationError()
        }
    }

    private func untilGone(_ live: Lock<Int>) async throws {
        try await wait(for: "all attempts to be released") { live.withLock { $0 } == 0 }
    }

    @Test func fiveThousandSwitchesManyTimes() async throws {
        let live = Lock(0)
        for _ in 0..<TestVolume.of(10, full: 100) {
            let (choices, choice) = AsyncStream<Int>.makeStream()
            let reader = Task {
                var (newest, isInOrder) = (0, true)
                for await number in choices.flatMapLatest({ Burst(number: $0, count: 3, live: live) }) {
                    if number < newest { isInOrder = false }
                    newest = number
                }
                #expect(isInOrder, "Elements of a replaced sequence are dropped.")
                return newest
            }
            for number in 1...5_000 { choice.yield(number) }
            choice.finish()
            #expect(await reader.value == 5_000, "The last one is heard.")
        }
        try await untilGone(live)
    }

    @Test func fiveThousandTapsManyTimes() async throws {
        let live = Lock(0)
        for _ in 0..<TestVolume.of(10, full: 100) {
            let (taps, tap) = AsyncStream<Int>.makeStream()
            let reader = Task {
                var counts: [Int: Int] = [:]
                for await number in taps.flatMapFirst({ Burst(number: $0, count: 3, live: live) }) {
                    counts[number, default: 0] += 1
                }
                return counts
            }
            for number in 1...5_000 { tap.yield(number) }
            tap.finish()
            let counts = await reader.value
            #expect(counts[1] == 3, "Nothing is in flight when the first one comes.")
            #expect(counts.values.allSatisfy { $0 == 3 }, "What was started is heard to its end.")
        }
        try await untilGone(live)
    }

    @Test func aSwitchThatRacesWithDeliveryAndFinishLosesNothingOfTheNewest() async throws {
        for round in 0..<TestVolume.of(200, full: 1_000) {
            let (old, ofOld) = AsyncStream<Int>.makeStream()
            let (new, ofNew) = AsyncStream<Int>.makeStream()
            let (choices, choice) = AsyncStream<AsyncStream<Int>>.makeStream()
            choice.yield(old)
            let reader = Task {
                var seen: [Int] = []
                for await number in choices.switchToLatest() { seen.append(number) }
                return seen
            }
            let line = StartingLine()
            async let delivering: Void = { () async throws in
                try await line.wait(for: 2)
                pass(round % 64)
                for number in 1...3 { ofOld.yield(number) }
                ofOld.finish()
            }()
            async let switching: Void = { () async throws in
                try await line.wait(for: 2)
                pass(63 - round % 64)
                choice.yield(new)
                choice.finish()
                ofNew.yield(10)
                ofNew.finish()
            }()
            _ = try await (delivering, switching)
            let seen = await reader.value
            #expect(seen.last == 10)
            #expect(
                seen.dropLast() == [1, 2, 3].prefix(seen.count - 1), "In order, without a gap, and never after the new."
            )
        }
    }

    @Test func cancellingAtAnyMomentEndsReaderBaseAndAttempt() async throws {
        let live = Lock(0)
        for round in 0..<TestVolume.of(200, full: 1_000) {
            let (choices, choice) = AsyncStream<Int>.makeStream()
            let baseEnds = Promise<Void>()
            choice.onTermination = { _ in baseEnds.resolve(()) }
            let reader = Task { [choices = consume choices] in
                var results: [Result<Void, AuthError>] = []
                if round.isMultiple(of: 2) {
                    for await result in choices.flatMapLatest({ _ in Self.endless(live) }) { results.append(result) }
                } else {
                    for await result in choices.flatMapFirst({ _ in Self.endless(live) }) { results.append(result) }
                }
                return results
            }
            for number in 0..<round % 5 { choice.yield(number) }
            if round.isMultiple(of: 3) { await Task.yield() }
            pass(round % 512)
            reader.cancel()
            #expect(await reader.value.allSatisfy { $0.error?.code == .cancelled }, "round \(round)")
            try await wait(for: "the base of round \(round) to end") { baseEnds.current != nil }
            // Otherwise its own release would end the base.
            withExtendedLifetime(choice) {}
        }
        try await untilGone(live)
        #expect(live.withLock { $0 } == 0)
    }

    @Test func leavingAtAnyMomentLetsGoOfBaseAndAttempt() async throws {
        let live = Lock(0)
        for round in 0..<TestVolume.of(200, full: 1_000) {
            let (choices, choice) = AsyncStream<Int>.makeStream()
            let isReleased = Promise<Void>()
            choice.onTermination = { _ in isReleased.resolve(()) }
            for number in 1...3 { choice.yield(number) }
            let number = await firstElement(of: consume choices, round, live)
            #expect(round.isMultiple(of: 2) ? number != nil : number == 1, "round \(round)")
            try await wait(for: "the base of round \(round) to be released") { isReleased.current != nil }
            // Otherwise its own release would end the base.
            withExtendedLifetime(choice) {}
        }
        try await untilGone(live)
        #expect(live.withLock { $0 } == 0)
    }

    private func firstElement(of choices: consuming AsyncStream<Int>, _ round: Int, _ live: Lock<Int>) async -> Int? {
        let count = round % 3 + 1
        if round.isMultiple(of: 2) {
            for await number in choices.flatMapLatest({ Burst(number: $0, count: count, live: live) }) { return number }
        } else {
            for await number in choices.flatMapFirst({ Burst(number: $0, count: count, live: live) }) { return number }
        }
        return nil
    }

    @Test func copiesOfAnIteratorShareTheElementsAndTheEnd() async throws {
        for round in 0..<300 {
            let (choices, choice) = AsyncStream<Int>.makeStream()
            let live = Lock(0)
            // Copies are used from several tasks at once, which no type allows, and which must do no harm all the same.
            nonisolated(unsafe) let iterator =
                choices.flatMapLatest { Burst(number: $0, count: 100, live: live) }.makeAsyncIterator()
            let readers = (0..<4).map { _ in
                Task {
                    var (copy, count) = (iterator, 0)
                    while await copy.next() != nil { count += 1 }
                    return count
                }
            }
            choice.yield(1)
            choice.finish()
            if round.isMultiple(of: 3) { readers[round % 4].cancel() }
            var count = 0
            for reader in readers { count += await reader.value }
            #expect(round.isMultiple(of: 3) ? count <= 100 : count == 100)
            try await untilGone(live)
        }
    }
}
