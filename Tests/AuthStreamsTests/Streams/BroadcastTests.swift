import AuthStreamsTesting
import Testing

@testable import AuthStreams

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
    private func reader(
        of broadcast: Broadcast<Int>, replaying: Bool = true, conflating: Bool = false
    ) -> BroadcastCursor<Int> {
        BroadcastCursor(broadcast, replaysPresent: replaying, conflates: conflating)
    }

    private func send(_ elements: some Sequence<Int>, to broadcast: Broadcast<Int>) {
        for element in elements { broadcast.link(element)?.wakeReaders() }
    }

    @Test func aReaderStartsWithThePresentThatItFound() async {
        let broadcast = Broadcast(present: 1)
        send([2], to: broadcast)
        var early = reader(of: broadcast)
        send([3], to: broadcast)
        var late = reader(of: broadcast)
        #expect(await [early.next(), early.next()] == [2, 3])
        #expect(await late.next() == 3)
    }

    @Test func aReaderWithoutReplayStartsWithWhatComesNext() async {
        let broadcast = Broadcast<Int>()
        send([1], to: broadcast)
        var events = reader(of: broadcast, replaying: false)
        send([2, 3], to: broadcast)
        #expect(await [events.next(), events.next()] == [2, 3])
    }

    @Test func everyReaderSeesEveryElementInTheSameOrder() async {
        let broadcast = Broadcast(present: 0)
        let readers = (0..<8).map { _ in reader(of: broadcast) }
        let all = await withTaskGroup(of: [Int].self) { group in
            for reader in readers {
                group.addTask {
                    var (reader, seen) = (reader, [Int]())
                    while let element = await reader.next() { seen.append(element) }
                    return seen
                }
            }
            send(1...1000, to: broadcast)
            broadcast.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all == Array(repeating: Array(0...1000), count: 8))
    }

    @Test func finishDeliversWhatIsUnreadThenEnds() async {
        let broadcast = Broadcast(present: 0)
        var reader = reader(of: broadcast)
        send([1], to: broadcast)
        broadcast.finish()
        #expect(broadcast.link(2) == nil)
        #expect(await [reader.next(), reader.next(), reader.next()] == [0, 1, nil])
    }

    @Test func aReaderWithinTheBoundMissesNothing() async {
        let broadcast = Broadcast(present: 0, limit: 4)
        var reader = reader(of: broadcast)
        send(1...4, to: broadcast)
        #expect(await [reader.next(), reader.next(), reader.next()] == [0, 1, 2])
        #expect(reader.skipped == 0)
    }

    @Test func aReaderPastTheBoundJumpsToThePresentAndIsToldHowManyItMissed() async {
        let broadcast = Broadcast(present: 0, limit: 4)
        var reader = reader(of: broadcast)
        _ = await reader.next()
        send(1...5, to: broadcast)
        #expect(await reader.next() == 5)
        #expect(reader.skipped == 4)
        send([6], to: broadcast)
        #expect(await reader.next() == 6)
        #expect(reader.skipped == 0)
    }

    @Test func aReaderPastTheBoundJumpsAlsoWhereTheChainIsNotCutYet() async {
        let broadcast = Broadcast(present: 0, limit: 32)
        send([1], to: broadcast)
        var reader = reader(of: broadcast)
        _ = await reader.next()
        send(2...34, to: broadcast)
        #expect(await reader.next() == 34)
        #expect(reader.skipped == 32)
    }

    @Test func latestAlwaysReadsTheNewest() async {
        let broadcast = Broadcast(present: 0)
        var latest = reader(of: broadcast, conflating: true)
        send(1...3, to: broadcast)
        #expect(await latest.next() == 3)
        send(4...9, to: broadcast)
        #expect(await latest.next() == 9)
        #expect(latest.skipped == 0)
    }

    @Test func aCopiedIteratorGoesItsOwnWay() async {
        let broadcast = Broadcast(present: 0)
        var first = reader(of: broadcast)
        var second = first
        send([1], to: broadcast)
        #expect(await [first.next(), first.next()] == [0, 1])
        #expect(await [second.next(), second.next()] == [0, 1])
    }

    @Test func cancellingAReaderEndsThatReaderAlone() async {
        let broadcast = Broadcast(present: 0)
        let task = Task { [reader = reader(of: broadcast)] in
            var reader = reader
            var seen: [Int] = []
            while let element = await reader.next() { seen.append(element) }
            return seen
        }
        var other = reader(of: broadcast)
        while broadcast.waitingReaders == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == [0])
        #expect(broadcast.waitingReaders == 0)
        send([1], to: broadcast)
        #expect(await [other.next(), other.next()] == [0, 1])
    }

    @Test func aCancelledTaskReadsNothing() async {
        let broadcast = Broadcast(present: 0)
        let element = await inCancelledTask { [reader = reader(of: broadcast)] in
            var reader = reader
            return await reader.next()
        }
        #expect(element == nil)
    }

    @Test func aCancelledTaskReadsNothingThatIsThereEither() async {
        let broadcast = Broadcast<Int>()
        let element = await inCancelledTask { [reader = reader(of: broadcast, replaying: false)] in
            var reader = reader
            broadcast.link(1)?.wakeReaders()
            return await reader.next()
        }
        #expect(element == nil)
    }

    @Test func whatComesBetweenALookAndTheWaitEndsTheWait() async {
        let broadcast = Broadcast(present: 0)
        let present = broadcast.present
        send([1], to: broadcast)
        #expect(await broadcast.parked(after: present)?.element == 1)
        let last = broadcast.present
        let node = await inCancelledTask { await broadcast.parked(after: last) }
        #expect(node == nil, "So does a cancel.")
        broadcast.finish()
        #expect(await broadcast.parked(after: last) == nil, "So does the end.")
    }

    // MARK: Nothing stays behind

    @Test func elementsThatEverybodyHasReadAreFreed() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>()
        var reader = BroadcastCursor(broadcast, replaysPresent: false)
        for _ in 0..<100 {
            broadcast.link(Witness(live))?.wakeReaders()
            _ = await reader.next()
        }
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    @Test func aReaderThatNeverReadsAgainHoldsNoMoreThanTheBound() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>(limit: 64)
        let stalled = BroadcastCursor(broadcast, replaysPresent: false)
        for _ in 0..<10_000 { broadcast.link(Witness(live))?.wakeReaders() }
        #expect(live.withLock { $0 } <= 64 + 8)
        var reader = stalled
        #expect(await reader.next() != nil)
        #expect(reader.skipped == 9_999)
    }

    @Test func aMillionUnreadElementsAreFreedWithoutRecursion() async {
        let broadcast = Broadcast<Int>(limit: nil)
        var stalled: BroadcastCursor<Int>? = BroadcastCursor(broadcast, replaysPresent: false)
        send(0..<1_000_000, to: broadcast)
        #expect(await stalled?.next() == 0)
        stalled = nil
        #expect(broadcast.present.element == 999_999)
    }

    @Test func aReaderThatLeavesGivesItsPlaceBack() async {
        let broadcast = Broadcast(present: 0)
        weak var first: BroadcastNode<Int>?
        do {
            var reader = reader(of: broadcast)
            first = broadcast.present
            _ = await reader.next()
            send([1], to: broadcast)
            #expect(first != nil)
        }
        #expect(first == nil)
        #expect(broadcast.waitingReaders == 0)
    }
}
