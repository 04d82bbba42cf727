import AuthStreams
import AuthStreamsTesting
import Testing

/// What the article for RxSwift and Combine shows of readers: who reads, where and for how long. Each region is a row of
/// its table.
@Suite struct StreamsReadingSnippets {
    private let score = Broadcast(0)
    private let seen = Notes<Int>()

    private func show(_ points: Int) { seen.add(points) }

    @Test func repeatsAreDroppedByTheReader() async {
        let (scores, score) = AsyncStream<Int>.makeStream()
        for points in [1, 1, 2] { score.yield(points) }
        score.finish()
        // ComingFromRxSwift: distinctUntilChanged
        var shown: Int?
        for await points in scores where points != shown {
            shown = points
            show(points)
        }
        // ComingFromRxSwift end
        #expect(seen.all == [1, 2])
    }

    @Test func theOtherPresentIsThereToBeRead() async {
        let (taps, tap) = AsyncStream<Character>.makeStream()
        tap.yield("a")
        tap.finish()
        let save: (Character, Int?) -> Void = { name, points in
            #expect(name == "a")
            #expect(points == 7)
        }
        score.send(7)
        await confirmation { saved in
            // ComingFromRxSwift: withLatestFrom
            for await name in taps { save(name, score.value) }
            // ComingFromRxSwift end
            saved()
        }
    }

    @Test func bothPresentsAreReadWhenEitherChanges() async {
        let (first, second, sums) = (Broadcast(1), Broadcast(10), Broadcast<Int>())
        let update: @Sendable () -> Void = { sums.send((first.value ?? 0) + (second.value ?? 0)) }
        var sum = sums.makeAsyncIterator()
        let updating = Task {
            // ComingFromRxSwift: combineLatest
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in first { update() } }
                group.addTask { for await _ in second { update() } }
            }
            // ComingFromRxSwift end
        }
        #expect(await [sum.next(), sum.next()] == [11, 11])
        second.send(20)
        #expect(await sum.next() == 21)
        updating.cancel()
    }

    @Test func aTaskIsADisposable() async {
        let (score, seen) = (score, seen)
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        // ComingFromRxSwift: DisposeBag, dispose()
        let reading = Task {
            for await points in score { show(points) }
        }
        reading.cancel()
        // ComingFromRxSwift end
        await reading.value
        score.send(1)
        #expect(seen.all.allSatisfy { $0 == 0 }, "The present at the most.")
        #expect(score.waitingReaders == 0)
    }

    @Test func aReaderThatHoldsNoBroadcastEndsWithIt() async {
        let seen = seen
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        var reading: Task<Void, Never>?
        do {
            let score = Broadcast(0)
            // Streams: a reader that holds no broadcast
            reading = Task { [reader = score.makeAsyncIterator()] in
                var reader = reader
                while let points = await reader.next() { show(points) }
            }
            // Streams end
            score.send(1)
        }
        await reading?.value
        #expect(seen.all == [0, 1])
    }

    @Test func whoHasSeenEnoughLeaves() async {
        let (scores, score) = AsyncStream<Int>.makeStream()
        for points in [1, 10, 11] { score.yield(points) }
        // ComingFromRxSwift: take(while:), take(until:)
        for await points in scores {
            show(points)
            if points > 9 { break }
        }
        // ComingFromRxSwift end
        #expect(seen.all == [1, 10])
    }

    /// On the main actor, where a closure without `@Sendable` does not compile.
    @MainActor
    @Test func theFirstThatFitsIsAwaited() async {
        score.send(10)
        // ComingFromRxSwift: first, take(1)
        let high = await score.first { @Sendable in $0 > 9 }
        // ComingFromRxSwift end
        #expect(high == 10)
        #expect(score.waitingReaders == 0)
    }

    @Test func aReaderOnTheMainActorStaysThere() async {
        let (score, label) = (score, Label())
        score.finish()
        // ComingFromRxSwift: observe(on:)
        let reading = Task { @MainActor in
            for await points in score { label.text = "\(points)" }
        }
        // ComingFromRxSwift end
        await reading.value
        #expect(await label.text == "0")
    }

    @MainActor
    @Test func aFunctionOnTheMainActorIsADriver() async {
        let label = Label()
        score.finish()
        // ComingFromRxSwift: Driver, Signal
        @MainActor func drive(_ label: Label) async {
            for await points in score { label.text = "\(points)" }
        }
        // ComingFromRxSwift end
        await drive(label)
        #expect(label.text == "0")
    }

    @MainActor
    @Test func workLeavesTheActorByItself() async throws {
        let words = ["a", "b"]
        // ComingFromRxSwift: subscribe(on:)
        @concurrent @Sendable func digest(_ words: [String]) async -> String { words.joined() }
        let digested = AuthStream { await digest(words) }
        // ComingFromRxSwift end
        #expect(try await digested.value == "ab")
    }

    @Test func theReadersOwnPaceIsAThrottle() async throws {
        let (clock, score, seen) = (ManualClock(), score, seen)
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        // ComingFromRxSwift: throttle
        let reading = Task {
            for await points in score.latest {
                show(points)
                try await clock.sleep(for: .seconds(1))
            }
        }
        // ComingFromRxSwift end
        await clock.waitForSleepers(count: 1)
        for points in 1...5 { score.send(points) }
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(count: 1)
        #expect(seen.all == [0, 5])
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }
}

@MainActor
private final class Label {
    var text = ""
}
