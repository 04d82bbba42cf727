import AuthStreamsTesting
import Testing

@testable import AuthStreams

/// Races on real threads. They find nothing by luck alone; under ThreadSanitizer they find what is unsynchronized.
@Suite(.timeLimit(.minutes(5))) struct StreamStressTests {
    /// Lets two sides of a race start as nearly together as threads allow.
    private struct StartingLine: Sendable {
        private let arrived = Lock(0)

        func wait(for parties: Int) async {
            arrived.withLock { $0 += 1 }
            while arrived.withLock({ $0 }) < parties { await Task.yield() }
        }
    }

    @Test func aReaderThatJoinsDuringAnEmissionEndsOnTheLastValue() async {
        for round in 0..<2_000 {
            let broadcast = Broadcast(-1)
            let line = StartingLine()
            async let last = Task {
                await line.wait(for: 2)
                var (reader, last) = (broadcast.makeAsyncIterator(), -2)
                while let element = await reader.next() { last = element }
                return last
            }.value
            await line.wait(for: 2)
            broadcast.send(round)
            broadcast.finish()
            guard await last == round else {
                Issue.record("Round \(round) ended on another value.")
                return
            }
        }
    }

    @Test(arguments: [2, 8]) func allReadersSeeOneOrderWhateverTheNumberOfWriters(writers: Int) async {
        let broadcast = Broadcast<Int>(-1)
        let perWriter = 500
        let seen = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                let cursor = broadcast.makeAsyncIterator()
                group.addTask {
                    var (reader, seen) = (cursor, [Int]())
                    while let element = await reader.next() { seen.append(element) }
                    return seen
                }
            }
            await withTaskGroup(of: Void.self) { writing in
                for writer in 0..<writers {
                    writing.addTask {
                        for number in 0..<perWriter {
                            broadcast.send(writer * perWriter + number)
                        }
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
    }

    @Test func readersThatAreCancelledAtAnyMomentLeaveNothingBehind() async {
        let broadcast = Broadcast(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    let task = Task {
                        var reader = broadcast.makeAsyncIterator()
                        while await reader.next() != nil {}
                    }
                    await Task.yield()
                    task.cancel()
                    await task.value
                }
                group.addTask { broadcast.send(1) }
            }
        }
        #expect(broadcast.waitingReaders == 0)
    }

    @Test func aSlowReaderPastTheBoundRacesWithItsWriter() async {
        let broadcast = Broadcast<Int>(0, limit: 16)
        let reading = Task {
            var reader = broadcast.makeAsyncIterator()
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
        let first = await reading.value
        #expect((1...20_001).contains(first), "Elements come in order, and what was read and skipped adds up.")
    }

    @Test func readersThatLeaveRaceWithWritersThatCutBehindThem() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>(limit: 8)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<1_000 {
                        let cursor = broadcast.makeAsyncIterator()
                        for _ in 0..<7 { broadcast.send(Witness(live)) }
                        withExtendedLifetime(cursor) {}
                    }
                }
            }
        }
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    @Test func aCallbackThatRacesWithACancelResolvesOnce() async {
        for _ in 0..<1_000 {
            let held = OneShot<AuthCallback<Int>>()
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
        let reading = Task { await results.reduce(into: 0) { count, _ in count += 1 } }
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

    @Test func leavingAtAnyMomentEndsTheTaskOfFlatMapFirst() async {
        for _ in 0..<300 {
            let (taps, tap) = AsyncStream<Int>.makeStream()
            let ended = OneShot<Void>()
            tap.onTermination = { _ in ended.resolve(()) }
            let reader = Task {
                for await _ in taps.flatMapFirst({ AuthStream.success($0) }) { break }
            }
            tap.yield(1)
            reader.cancel()
            await reader.value
            tap.finish()
            _ = await ended.value()
        }
    }
}
