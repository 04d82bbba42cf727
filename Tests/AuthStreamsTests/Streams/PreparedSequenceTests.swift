import AuthStreamsTesting
import Testing

@testable import AuthStreams

/// An operator takes its place in the base where its iterator is made, and keeps nothing of what is behind it.
@Suite struct PreparedSequenceTests {
    @Test func whatComesBetweenTheIteratorAndItsFirstElementIsNotLost() async {
        let taps = Broadcast<Int>()
        var first = taps.flatMapFirst { AuthStream.success($0) }.makeAsyncIterator()
        var latest = taps.flatMapLatest { AuthStream.success($0) }.makeAsyncIterator()
        var switched = taps.map { AuthStream.success($0) }.switchToLatest().makeAsyncIterator()
        taps.send(1)
        #expect(await first.next() == .success(1))
        #expect(await latest.next() == .success(1))
        #expect(await switched.next() == .success(1))
    }

    /// A sequence that sends its only element as soon as its iterator is made, and expects that in the task that made it.
    private struct EagerSequence: AsyncSequence {
        let element: Int
        let task = withUnsafeCurrentTask { $0?.hashValue }

        func makeAsyncIterator() -> Broadcast<Int>.AsyncIterator {
            let sender = Broadcast<Int>()
            let elements = sender.makeAsyncIterator()
            #expect(withUnsafeCurrentTask { $0?.hashValue } == task)
            sender.send(element)
            sender.finish()
            return elements
        }
    }

    @Test func whatAnInnerSequenceSendsBeforeItsTaskStartsIsNotLost() async {
        let taps = Broadcast<Int>()
        var first = taps.flatMapFirst { EagerSequence(element: $0) }.makeAsyncIterator()
        var latest = taps.flatMapLatest { EagerSequence(element: $0) }.makeAsyncIterator()
        for tap in 0..<200 {
            taps.send(tap)
            #expect(await latest.next() == tap)
            // The end of an inner sequence comes after its element, so a tap may come too early for this one.
            if tap == 0 { #expect(await first.next() == tap) }
        }
    }

    @Test func theIteratorIsForTheFirstWhoAsks() async throws {
        let taps = Broadcast<Int>()
        let joined = PreparedSequence(taps)
        taps.send(1)
        var elements = try #require(joined.take()).makeAsyncIterator()
        #expect(joined.take() == nil)
        #expect(await elements.next() == 1)
    }

    @Test func readingThroughAnOperatorDoesNotKeepABroadcastAlive() async throws {
        var taps: Broadcast<Int>? = Broadcast()
        weak let released = taps
        var first = taps?.flatMapFirst { AuthStream.success($0) }.makeAsyncIterator()
        var latest = taps?.flatMapLatest { AuthStream.success($0) }.makeAsyncIterator()
        taps = nil
        try #require(released == nil)
        #expect(await first?.next() == nil)
        #expect(await latest?.next() == nil)
    }

    @Test func elementsOfTheBaseThatWereReadAreFreed() async {
        let live = Lock(0)
        let taps = Broadcast<Witness>()
        var first = taps.flatMapFirst { _ in AuthStream.success(1) }.makeAsyncIterator()
        var latest = taps.flatMapLatest { _ in AuthStream.success(1) }.makeAsyncIterator()
        for _ in 0..<100 {
            taps.send(Witness(live))
            #expect(await first.next() == .success(1))
            #expect(await latest.next() == .success(1))
            #expect(live.withLock { $0 } == 1, "Only the present is kept.")
        }
    }

    /// A tap that came before the end of the attempt was noticed would be ignored, and this would wait for ever.
    @Test func whoHasSeenAResultCanTapAgainAlsoWhereItWasChangedOnItsWay() async {
        let taps = Broadcast<Int>()
        var results = taps.flatMapFirst { tap in
            AuthStream.success(tap).mapSuccess { $0 + 1 }.flatMapSuccess { AuthStream.success($0 + 1) }
        }.makeAsyncIterator()
        for tap in 0..<1_000 {
            taps.send(tap)
            #expect(await results.next() == .success(tap + 2))
        }
    }
}
