import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

/// Broadcasts on real threads. They find nothing by luck alone; under ThreadSanitizer they find what is unsynchronized.
@Suite(.serialized) struct BroadcastStressTests {
    private func readerWaits<Element>(at broadcast: Broadcast<Element>) async throws {
        try await wait(for: "a reader to wait for the next element") { broadcast.waitingReaders > 0 }
    }

    @Test func aReaderThatJoinsDuringAnEmissionEndsOnTheLastValue() async throws {
        for round in 0..<TestVolume.of(2_000, full: 10_000) {
            let broadcast = Broadcast(-1)
            let line = StartingLine()
            async let seen = Task {
                try await line.wait(for: 2)
                pass(round % 97)
                var seen: [Int] = []
                for await element in broadcast { seen.append(element) }
                return seen
            }.value
            try await line.wait(for: 2)
            pass(round % 89)
            broadcast.send(round)
            broadcast.finish()
            let elements = try await seen
            guard elements == [round] || elements == [-1, round] else {
                Issue.record("Round \(round) read \(elements).")
                return
            }
        }
    }

    @Test func anElementThatMeetsAReaderOnItsWayToWaitingIsNotLost() async {
        let (broadcast, answers) = (Broadcast<Int>(), Broadcast<Int>())
        let rounds = 10_000
        var answer = answers.makeAsyncIterator()
        let echo = Task { [reader = broadcast.makeAsyncIterator()] in
            var reader = reader
            while let element = await reader.next() {
                answers.send(element)
                pass(element % 61)
            }
        }
        for round in 0..<rounds {
            pass(round % 53)
            broadcast.send(round)
            guard await answer.next() == round else {
                Issue.record("Round \(round) was lost.")
                break
            }
        }
        broadcast.finish()
        await echo.value
    }

    @Test(arguments: [2, 8]) func allReadersSeeOneOrderWhateverTheNumberOfWriters(writers: Int) async {
        let broadcast = Broadcast<Int>(-1)
        let perWriter = 500
        let seen = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                let reader = broadcast.makeAsyncIterator()
                group.addTask {
                    var (reader, seen) = (reader, [Int]())
                    while let element = await reader.next() { seen.append(element) }
                    return seen
                }
            }
            await withTaskGroup(of: Void.self) { writing in
                for writer in 0..<writers {
                    writing.addTask {
                        for number in 0..<perWriter { broadcast.send(writer * perWriter + number) }
                    }
                }
            }
            let present = broadcast.value
            broadcast.finish()
            var all: [[Int]] = []
            for await one in group { all.append(one) }
            #expect(all.allSatisfy { $0.last == present })
            return all
        }
        #expect(Set(seen).count == 1)
        #expect(seen.first?.sorted() == [-1] + Array(0..<writers * perWriter))
        for writer in 0..<writers {
            let own = seen.first?.filter { $0 / perWriter == writer && $0 >= 0 }
            #expect(own == own?.sorted(), "What one writer sends stays in its order.")
        }
    }

    @Test(arguments: [2, 8]) func latestEndsOnThePresentWhateverTheNumberOfWriters(writers: Int) async {
        let broadcast = Broadcast<Int>(-1)
        let lasts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var last: Int?
                    for await element in broadcast.latest { last = element }
                    return last
                }
            }
            await withTaskGroup(of: Void.self) { writing in
                for writer in 0..<writers {
                    writing.addTask {
                        for number in 0..<500 { broadcast.send(writer * 500 + number) }
                    }
                }
            }
            broadcast.finish()
            var lasts: [Int?] = []
            for await last in group { lasts.append(last) }
            return lasts
        }
        #expect(lasts == Array(repeating: broadcast.value, count: 8))
    }

    @Test func readersThatAreCancelledAtAnyMomentLeaveNothingBehind() async {
        let broadcast = Broadcast(0)
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<2_000 {
                group.addTask {
                    let task = Task {
                        for await _ in broadcast { pass(round % 31) }
                    }
                    if round % 2 == 0 { await Task.yield() }
                    task.cancel()
                    await task.value
                }
                group.addTask { broadcast.send(1) }
            }
        }
        #expect(broadcast.waitingReaders == 0)
    }

    @Test func readersThatBreakAtAnyElementLeaveNothingBehind() async throws {
        let live = Lock(0)
        let broadcast = Broadcast(Witness(live))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<500 {
                group.addTask {
                    var count = round % 7
                    for await _ in broadcast {
                        count -= 1
                        if count < 0 { break }
                    }
                }
            }
            group.addTask {
                try await readerWaits(at: broadcast)
                for _ in 0..<2_000 {
                    broadcast.send(Witness(live))
                    await Task.yield()
                }
                broadcast.finish()
            }
            try await group.waitForAll()
        }
        #expect(broadcast.waitingReaders == 0)
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    @Test func cancelFinishAndAnElementAtOnceWakeAReaderOnce() async throws {
        for round in 0..<TestVolume.of(500, full: 3_000) {
            let broadcast = Broadcast(0)
            let reader = Task { await broadcast.reduce(into: [Int]()) { $0.append($1) } }
            let hasRead = round % 4 != 0
            if hasRead { try await readerWaits(at: broadcast) }
            async let sent: Void = Task { broadcast.send(1) }.value
            async let finished: Void = Task { broadcast.finish() }.value
            reader.cancel()
            let seen = await reader.value
            _ = await (sent, finished)
            #expect([0, 1].starts(with: seen) && seen.count >= (hasRead ? 1 : 0), "round \(round)")
            #expect(broadcast.waitingReaders == 0, "round \(round)")
        }
    }

    @Test func aSlowReaderPastTheBoundRacesWithItsWriter() async {
        let broadcast = Broadcast<Int>(0, limit: 16)
        let reading = Task { [reader = broadcast.makeAsyncIterator()] in
            var reader = reader
            var (count, last) = (0, -1)
            while let element = await reader.next() {
                count += 1 + reader.skipped
                guard element > last else { return -1 }
                last = element
                if element % 64 == 0 { await Task.yield() }
            }
            return count
        }
        for number in 1...20_000 { broadcast.send(number) }
        broadcast.finish()
        #expect(await reading.value == 20_001, "What was read and what was skipped adds up.")
    }

    @Test func readersThatLeaveRaceWithWritersThatCutBehindThem() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>(limit: 8)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<TestVolume.of(100, full: 1_000) {
                        let reader = broadcast.makeAsyncIterator()
                        for _ in 0..<100 { broadcast.send(Witness(live)) }
                        withExtendedLifetime(reader) {}
                    }
                }
            }
        }
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    /// Under the lock this would be a recursive call, which traps.
    @Test func anElementThatIsFreedMayUseItsBroadcastWhereverThatHappens() async {
        let broadcast = Broadcast<Farewell>(limit: 1)
        let farewell: @Sendable () -> Farewell = { Farewell { [weak broadcast] in _ = broadcast?.value } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<TestVolume.of(2_000, full: 20_000) {
                        let reader = broadcast.makeAsyncIterator()
                        broadcast.send(farewell())
                        withExtendedLifetime(reader) {}
                    }
                }
            }
            group.addTask {
                for _ in 0..<TestVolume.of(20_000, full: 200_000) { broadcast.send(farewell()) }
            }
        }
        #expect(broadcast.value != nil)
    }

    @Test(arguments: [nil, 65_536, 1_000]) func aReaderFarBehindIsFreedInOneGo(limit: Int?) async {
        let count = TestVolume.of(200_000, full: 1_000_000)
        let live = Lock(0)
        let broadcast = Broadcast(Witness(live), limit: limit)
        var stalled: Broadcast<Witness>.Iterator? = broadcast.makeAsyncIterator()
        for _ in 0..<count { broadcast.send(Witness(live)) }
        let bound = limit.map { $0 + max(64, $0 / 16) + 1 } ?? count + 1
        #expect(live.withLock { $0 } <= bound)
        #expect(await stalled?.next() != nil)
        #expect(await stalled?.next() != nil)
        #expect(stalled?.skipped == (limit == nil ? 0 : count - 1))
        stalled = nil
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    @Test func manyReadersAreServedAndLeave() async throws {
        let (broadcast, readers) = (Broadcast(0), TestVolume.of(20_000, full: 100_000))
        // Not a task group: each child that ends is looked for among all the others.
        let tasks = (0..<readers).map { _ in
            Task { await broadcast.reduce(0, +) }
        }
        try await wait(for: "all readers to wait for the next element") { broadcast.waitingReaders == readers }
        broadcast.send(1)
        try await wait(for: "all readers to wait for the next element") { broadcast.waitingReaders == readers }
        broadcast.send(2)
        broadcast.finish()
        var sum = 0
        for task in tasks { sum += await task.value }
        #expect(sum == 3 * readers)
        #expect(broadcast.waitingReaders == 0)
    }

    @Test func departedReadersCostNothing() async throws {
        let live = Lock(0)
        let broadcast = Broadcast(Witness(live))
        for reader in 0..<2_000 {
            let task = Task {
                for await _ in broadcast where reader % 2 == 0 { break }
            }
            if reader % 2 == 1 { try await readerWaits(at: broadcast) }
            task.cancel()
            await task.value
        }
        #expect(broadcast.waitingReaders == 0)
        for _ in 0..<1_000 {
            broadcast.send(Witness(live))
            #expect(live.withLock { $0 } == 1)
        }
    }
}
