import AuthStreams
import Testing

/// What the article for RxSwift and Combine shows of where elements come from. Each region is a row of its table.
@Suite struct StreamsSourceSnippets {
    private let error = AuthError(.network, "Offline.")

    @Test func aBroadcastWithAPresentIsARelay() async {
        let seen = Notes<Int>()
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        // ComingFromRxSwift: BehaviorRelay, BehaviorSubject
        let score = Broadcast(0)
        score.send(1)
        // ComingFromRxSwift end
        #expect(score.value == 1)
        score.finish()
        // ComingFromRxSwift: subscribe(onNext:)
        for await points in score { show(points) }
        // ComingFromRxSwift end
        #expect(seen.all == [1])
    }

    @Test func aBroadcastWithoutAPresentIsASubject() async {
        // ComingFromRxSwift: PublishRelay, PublishSubject
        let taps = Broadcast<ProviderID>()
        // ComingFromRxSwift end
        taps.send(.apple)
        var reader = taps.makeAsyncIterator()
        taps.send(.kakao)
        #expect(await reader.next() == .kakao)
    }

    @Test func anOptionalPresentIsAReplayOfOne() async {
        // ComingFromRxSwift: ReplaySubject of 1
        let newest = Broadcast<Int?>(nil)
        // ComingFromRxSwift end
        var early = newest.makeAsyncIterator()
        newest.send(1)
        var late = newest.makeAsyncIterator()
        #expect(await [early.next(), early.next(), late.next()] == [.some(nil), 1, 1])
    }

    @Test func aHistoryIsAnElement() async {
        let entry = "signed in"
        // ComingFromRxSwift: ReplaySubject of more
        let history = Broadcast<[String]>([])
        history.send((history.value ?? []) + [entry])
        // ComingFromRxSwift end
        history.send((history.value ?? []) + ["signed out"])
        var late = history.makeAsyncIterator()
        #expect(await late.next() == ["signed in", "signed out"])
    }

    @Test func whatIsKnownIsAStream() async {
        // ComingFromRxSwift: just, error
        let one = AuthStream.success(1)
        let none = AuthStream<Int>.failure(error)
        // ComingFromRxSwift end
        #expect(await one.result == .success(1))
        #expect(await none.result == .failure(error))
    }

    @Test func anAttemptIsASingle() async throws {
        let seen = Notes<Result<String, AuthError>>()
        let (loads, show) = (Notes<Void>(), { @Sendable (result: Result<String, AuthError>) in seen.add(result) })
        let load: @Sendable () async throws -> String = {
            loads.add(())
            return "Kim"
        }
        // ComingFromRxSwift: Single
        let profile = AuthStream { try await load() }
        for await result in profile { show(result) }
        let name = try await profile.value
        // ComingFromRxSwift end
        #expect(seen.all == [.success("Kim")])
        #expect(name == "Kim")
        #expect(loads.all.count == 2, "Each iteration is an attempt.")
    }

    @Test func anAttemptMayFindNothingOrSayNothing() async throws {
        let (find, push) = ({ @Sendable () async throws -> String? in nil }, { @Sendable () async throws in })
        // ComingFromRxSwift: Maybe
        let saved = AuthStream<String?> { try await find() }
        // ComingFromRxSwift end
        // ComingFromRxSwift: Completable
        let sending = AuthStream<Void> { try await push() }
        // ComingFromRxSwift end
        #expect(try await saved.value == nil)
        try await sending.value
    }

    @Test func aCallbackMakesAnAttempt() async throws {
        let sdk = CallingBack()
        // ComingFromRxSwift: create, one answer
        let token = AuthStream<String>.callback { callback in
            sdk.logIn { callback.succeed($0) }
        }
        // ComingFromRxSwift end
        #expect(try await token.value == "token")
    }

    @Test func manyCallbacksMakeAnAsyncStream() async {
        // ComingFromRxSwift: create, many elements
        let (pages, page) = AsyncStream<Int>.makeStream()
        page.yield(1)
        page.finish()
        // ComingFromRxSwift end
        #expect(await pages.reduce(into: []) { $0.append($1) } == [1])
    }

    @Test func aBroadcastShares() async {
        let (numbers, number) = AsyncStream<Int>.makeStream()
        // ComingFromRxSwift: share(replay: 1), multicast
        let shared = Broadcast<Int?>(nil)
        let pump = Task {
            for await number in numbers { shared.send(number) }
            shared.finish()
        }
        // ComingFromRxSwift end
        let readers = [shared.makeAsyncIterator(), shared.makeAsyncIterator()]
        number.yield(1)
        number.finish()
        await pump.value
        for var reader in readers {
            #expect(await [reader.next(), reader.next(), reader.next()] == [.some(nil), 1, nil])
        }
    }

    @Test func aReaderThatLagsIsTold() async {
        let (told, sent) = (Notes<Int>(), Notes<Int>())
        let warn: @Sendable (Int) -> Void = { told.add($0) }
        let send: @Sendable (Int) -> Void = { sent.add($0) }
        // ComingFromRxSwift: not offered: a bound
        let log = Broadcast<Int>(limit: 100)
        // ComingFromRxSwift end
        var reader = log.makeAsyncIterator()
        for line in 1...102 { log.send(line) }
        log.finish()
        // ComingFromRxSwift: not offered: back pressure
        while let line = await reader.next() {
            if reader.skipped > 0 { warn(reader.skipped) }
            send(line)
        }
        // ComingFromRxSwift end
        #expect(told.all == [101])
        #expect(sent.all == [102])
    }
}
