import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct BroadcastTests {
    private func send(_ elements: some Sequence<Int>, to broadcast: Broadcast<Int>) {
        for element in elements { broadcast.send(element) }
    }

    @Test func aReaderStartsWithThePresentThatItFound() async {
        let broadcast = Broadcast(1)
        send([2], to: broadcast)
        var early = broadcast.makeAsyncIterator()
        send([3], to: broadcast)
        var late = broadcast.makeAsyncIterator()
        #expect(await [early.next(), early.next()] == [2, 3])
        #expect(await late.next() == 3)
    }

    @Test func aReaderWithoutReplayStartsWithWhatComesNext() async {
        let broadcast = Broadcast<Int>()
        send([1], to: broadcast)
        var events = broadcast.makeAsyncIterator()
        send([2, 3], to: broadcast)
        #expect(await [events.next(), events.next()] == [2, 3])
    }

    @Test func everyReaderSeesEveryElementInTheSameOrder() async {
        let broadcast = Broadcast(0)
        let all = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                let reader = broadcast.makeAsyncIterator()
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
        let broadcast = Broadcast(0)
        var reader = broadcast.makeAsyncIterator()
        send([1], to: broadcast)
        broadcast.finish()
        broadcast.send(2)
        #expect(broadcast.value == 1)
        #expect(await [reader.next(), reader.next(), reader.next()] == [0, 1, nil])
    }

    @Test func aReaderWithinTheBoundMissesNothing() async {
        let broadcast = Broadcast(0, limit: 4)
        var reader = broadcast.makeAsyncIterator()
        send(1...4, to: broadcast)
        #expect(await [reader.next(), reader.next(), reader.next()] == [0, 1, 2])
        #expect(reader.skipped == 0)
    }

    @Test func aReaderPastTheBoundJumpsToThePresentAndIsToldHowManyItMissed() async {
        let broadcast = Broadcast(0, limit: 4)
        var reader = broadcast.makeAsyncIterator()
        _ = await reader.next()
        send(1...5, to: broadcast)
        #expect(await reader.next() == 5)
        #expect(reader.skipped == 4)
        send([6], to: broadcast)
        #expect(await reader.next() == 6)
        #expect(reader.skipped == 0)
    }

    @Test func aReaderPastTheBoundJumpsAlsoWhereTheChainIsNotCutYet() async {
        let broadcast = Broadcast(0, limit: 32)
        send([1], to: broadcast)
        var reader = broadcast.makeAsyncIterator()
        _ = await reader.next()
        send(2...34, to: broadcast)
        #expect(await reader.next() == 34)
        #expect(reader.skipped == 32)
    }

    @Test func latestAlwaysReadsTheNewest() async {
        let broadcast = Broadcast(0)
        var latest = broadcast.latest.makeAsyncIterator()
        send(1...3, to: broadcast)
        #expect(await latest.next() == 3)
        send(4...9, to: broadcast)
        #expect(await latest.next() == 9)
    }

    @Test func aCopiedIteratorGoesItsOwnWay() async {
        let broadcast = Broadcast(0)
        var first = broadcast.makeAsyncIterator()
        var second = first
        send([1], to: broadcast)
        #expect(await [first.next(), first.next()] == [0, 1])
        #expect(await [second.next(), second.next()] == [0, 1])
    }

    /// Both wait at once, on one actor.
    @MainActor
    @Test func aCopyThatWaitsAtTheSameTimeIsWokenToo() async throws {
        let broadcast = Broadcast(0)
        var first = broadcast.makeAsyncIterator()
        _ = await first.next()
        broadcast.send(1)
        _ = await first.next()
        let second = first
        let tasks = [first, second].map { reader in
            Task { @MainActor in
                var reader = reader
                return await reader.next()
            }
        }
        try await wait(for: "both readers to wait for the next element") { broadcast.waitingReaders == 2 }
        broadcast.send(2)
        for task in tasks { #expect(await task.value == 2) }
    }

    @Test func aBroadcastThatIsReleasedEndsItsReaders() async throws {
        var broadcast: Broadcast<Int>? = Broadcast(0)
        weak let released = broadcast
        let task = Task { [reader = broadcast?.makeAsyncIterator()] in
            var (reader, seen) = (reader, [Int]())
            while let element = await reader?.next() { seen.append(element) }
            return seen
        }
        try await wait(for: "the reader to wait for the next element") { broadcast?.waitingReaders != 0 }
        broadcast?.send(1)
        broadcast = nil
        #expect(await task.value == [0, 1])
        #expect(released == nil)
    }

    @Test func theValueIsTheNewestElement() {
        let (replaying, events) = (Broadcast(0), Broadcast<Int>())
        #expect(replaying.value == 0)
        #expect(events.value == nil)
        for broadcast in [replaying, events] {
            broadcast.send(1)
            broadcast.finish()
            broadcast.send(2)
            #expect(broadcast.value == 1)
        }
    }

    @Test func cancellingAReaderEndsThatReaderAlone() async throws {
        let broadcast = Broadcast(0)
        let task = Task { [reader = broadcast.makeAsyncIterator()] in
            var reader = reader
            var seen: [Int] = []
            while let element = await reader.next() { seen.append(element) }
            return seen
        }
        var other = broadcast.makeAsyncIterator()
        try await wait(for: "the reader to wait for the next element") { broadcast.waitingReaders > 0 }
        task.cancel()
        #expect(await task.value == [0])
        #expect(broadcast.waitingReaders == 0)
        send([1], to: broadcast)
        #expect(await [other.next(), other.next()] == [0, 1])
    }

    @Test func aCancelledTaskReadsNothing() async {
        let broadcast = Broadcast(0)
        let element = await inCancelledTask {
            var reader = broadcast.makeAsyncIterator()
            return await reader.next()
        }
        #expect(element == nil)
    }

    @Test func aCancelledTaskReadsNothingThatIsThereEither() async {
        let broadcast = Broadcast<Int>()
        let element = await inCancelledTask {
            var reader = broadcast.makeAsyncIterator()
            broadcast.send(1)
            return await reader.next()
        }
        #expect(element == nil)
    }

    @Test func whatComesBetweenALookAndTheWaitEndsTheWait() async {
        let broadcast = Broadcast(0)
        let (hub, waiter) = (broadcast.hub, Waiter())
        let present = hub.present
        broadcast.send(1)
        #expect(await hub.park(waiter, at: present.position))
        let last = hub.present
        #expect(await inCancelledTask { await hub.park(waiter, at: last.position) } == false, "So does a cancel.")
        broadcast.finish()
        #expect(await hub.park(waiter, at: last.position) == false, "So does the end.")
    }

    // MARK: Nothing stays behind

    @Test func elementsThatEverybodyHasReadAreFreed() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>()
        var reader = broadcast.makeAsyncIterator()
        for _ in 0..<100 {
            broadcast.send(Witness(live))
            _ = await reader.next()
        }
        #expect(live.withLock { $0 } == 1, "Only the present is kept.")
    }

    @Test func aReaderThatNeverReadsAgainHoldsNoMoreThanTheBound() async {
        let live = Lock(0)
        let broadcast = Broadcast<Witness>(limit: 64)
        let stalled = broadcast.makeAsyncIterator()
        for _ in 0..<10_000 { broadcast.send(Witness(live)) }
        #expect(live.withLock { $0 } <= 64 + 64)
        var reader = stalled
        #expect(await reader.next() != nil)
        #expect(reader.skipped == 9_999)
    }

    /// The last reader may leave at that moment, and what it held must not be freed under the lock.
    @Test func whereTheChainIsCutTheMarkIsHandedOutWithTheRest() throws {
        let (mark, rest, tail) = (BroadcastLink(), BroadcastLink(), BroadcastLink())
        var state = BroadcastState(first: mark, limit: 1)
        let first = state.append(rest)
        #expect(first?.previous === mark)
        #expect(first?.cut == nil)
        let second = state.append(tail)
        let delivery = try #require(second)
        #expect(delivery.previous === rest)
        #expect(delivery.cut?.mark === mark)
        #expect(delivery.cut?.rest === rest)
        #expect(mark.next == nil)
    }

    @Test func nothingIsKeptForAReaderOfTheLatest() async {
        let live = Lock(0)
        let broadcast = Broadcast(Witness(live), limit: nil)
        var latest = broadcast.latest.makeAsyncIterator()
        _ = await latest.next()
        for _ in 0..<1_000 { broadcast.send(Witness(live)) }
        #expect(live.withLock { $0 } == 1)
        #expect(await latest.next() === broadcast.value)
    }

    @Test func aMillionUnreadElementsAreFreedWithoutRecursion() async {
        let broadcast = Broadcast<Int>(limit: nil)
        var stalled: Broadcast<Int>.Iterator? = broadcast.makeAsyncIterator()
        send(0..<1_000_000, to: broadcast)
        #expect(await stalled?.next() == 0)
        stalled = nil
        #expect(broadcast.value == 999_999)
    }

    @Test func aReaderThatLeavesGivesItsPlaceBack() async {
        let broadcast = Broadcast(0)
        weak var first: BroadcastLink?
        do {
            var reader = broadcast.makeAsyncIterator()
            first = broadcast.hub.present
            _ = await reader.next()
            send([1], to: broadcast)
            #expect(first != nil)
        }
        #expect(first == nil)
        #expect(broadcast.waitingReaders == 0)
    }
}
