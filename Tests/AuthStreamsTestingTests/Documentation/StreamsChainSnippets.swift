import AuthStreams
import AuthStreamsTesting
import Testing

/// What the article for RxSwift and Combine shows of chains: one step after another. Each region is a row of its table.
@Suite struct StreamsChainSnippets {
    private typealias Outcome<Value> = Result<Value, AuthError>
    private let offline = AuthError(.network, "Offline.")
    private let profile = AuthStream.success("kim")

    @Test func mapChangesWhatSucceeds() async {
        let seen = Notes<Outcome<Int>>()
        let show: @Sendable (Outcome<Int>) -> Void = { seen.add($0) }
        let results = [Outcome.success("Lee"), .failure(offline)].async
        // ComingFromRxSwift: map
        let name = profile.map { $0.uppercased() }
        for await result in results.mapSuccess({ $0.count }) { show(result) }
        // ComingFromRxSwift end
        #expect(await name.result == .success("KIM"))
        #expect(seen.all == [.success(3), .failure(offline)])
    }

    @Test func flatMapGoesOn() async throws {
        let load: @Sendable (String) async throws -> Int = { $0.count }
        let greet: @Sendable (String) -> AuthStream<String> = { .success("Hello \($0)") }
        // ComingFromRxSwift: flatMap, one after the other
        let length = profile.flatMap { try await load($0) }
        let greeting = profile.flatMap { greet($0) }
        // ComingFromRxSwift end
        #expect(try await length.value == 3)
        #expect(try await greeting.value == "Hello kim")
    }

    @Test func aTaskGroupRunsAllAtOnce() async {
        let (ids, loaded) = ([1, 2, 3].async, Notes<Int>())
        let load: @Sendable (Int) async -> Void = { loaded.add($0) }
        // ComingFromRxSwift: flatMap, all at once; merge
        await withDiscardingTaskGroup { group in
            for await id in ids { group.addTask { await load(id) } }
        }
        // ComingFromRxSwift end
        #expect(loaded.all.sorted() == [1, 2, 3])
    }

    @Test func stepsFollowEachOther() async {
        let (books, seen) = ([1, 2].async, Notes<Int>())
        let pages: @Sendable (Int) -> AsyncStream<Int> = { book in [book * 10, book * 10 + 1].async }
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        // ComingFromRxSwift: concatMap
        for await page in books.flatMap({ pages($0) }) { show(page) }
        // ComingFromRxSwift end
        #expect(seen.all == [10, 11, 20, 21])
    }

    @Test func stepsOfResultsFollowEachOther() async {
        let taps = [Outcome<ProviderID>.success(.kakao), .failure(offline)].async
        let (seen, load) = (Notes<Outcome<Int>>(), { @Sendable (id: ProviderID) async throws -> Int in 1 })
        let show: @Sendable (Outcome<Int>) -> Void = { seen.add($0) }
        // ComingFromRxSwift: concatMap of results
        for await result in taps.flatMapSuccess({ try await load($0) }) { show(result) }
        // ComingFromRxSwift end
        #expect(seen.all == [.success(1), .failure(offline)])
    }

    @Test func theLatestChoiceCounts() async {
        let (auth, seen, asked) = (GatedSignIn(), Notes<Outcome<ProviderID>>(), Notes<Void>())
        let show: @Sendable (Outcome<ProviderID>) -> Void = { seen.add($0) }
        let choices = AsyncStream<ProviderID> {
            asked.add(())
            switch asked.all.count {
            case 1: return .kakao
            case 2: return .naver
            default:
                auth.answer()
                return nil
            }
        }
        // ComingFromRxSwift: flatMapLatest
        for await result in choices.flatMapLatest({ auth.signIn(with: $0) }) { show(result) }
        // ComingFromRxSwift end
        #expect(seen.all == [.success(.naver)])
    }

    @Test func theNewestSequenceIsRead() async {
        let (books, seen) = ([[1, 2].async].async, Notes<Int>())
        let show: @Sendable (Int) -> Void = { seen.add($0) }
        // ComingFromRxSwift: switchLatest
        for await page in books.switchToLatest() { show(page) }
        // ComingFromRxSwift end
        #expect(seen.all == [1, 2])
    }

    @Test func theFirstTapCounts() async {
        let (auth, seen, asked) = (GatedSignIn(), Notes<Outcome<ProviderID>>(), Notes<Void>())
        let show: @Sendable (Outcome<ProviderID>) -> Void = { seen.add($0) }
        let taps = AsyncStream<ProviderID> {
            asked.add(())
            switch asked.all.count {
            case 1: return .kakao
            case 2: return .naver
            default:
                // A reader that asks for a third tap is done with the second.
                auth.answer()
                return nil
            }
        }
        // ComingFromRxSwift: flatMapFirst
        for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { show(result) }
        // ComingFromRxSwift end
        #expect(seen.all == [.success(.kakao)])
    }

    @Test func aFailureIsRecovered() async {
        let profile = AuthStream<String>.failure(offline)
        let cached: @Sendable () async throws -> String = { "Kim, from the cache" }
        // ComingFromRxSwift: catch, catchAndReturn
        let name = profile.recover { _ in try await cached() }
        // ComingFromRxSwift end
        #expect(await name.result == .success("Kim, from the cache"))
    }

    @Test func aFailureIsChanged() async {
        let profile = AuthStream<String>.failure(offline)
        // ComingFromRxSwift: catch, throwing another
        let named = profile.mapError { AuthError($0.code, "Loading the profile: \($0.explanation)") }
        // ComingFromRxSwift end
        #expect(await named.result.error?.explanation == "Loading the profile: Offline.")
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theFirstFailureEndsTheValues() async {
        let (greeted, failed) = (Notes<String>(), Notes<AuthError>())
        let results = [Outcome.success("Kim"), .failure(offline), .success("Lee")].async
        let greet: @Sendable (String) -> Void = { greeted.add($0) }
        let show: @Sendable (AuthError) -> Void = { failed.add($0) }
        // ComingFromRxSwift: dematerialize
        do {
            for try await name in results.values { greet(name) }
        } catch { show(error) }
        // ComingFromRxSwift end
        #expect(greeted.all == ["Kim"])
        #expect(failed.all == [offline])
    }

    @Test func noFailureEndsTheSuccesses() async {
        let greeted = Notes<String>()
        let results = [Outcome.success("Kim"), .failure(offline), .success("Lee")].async
        let greet: @Sendable (String) -> Void = { greeted.add($0) }
        // ComingFromRxSwift: materialize().elements()
        for await name in results.successes { greet(name) }
        // ComingFromRxSwift end
        #expect(greeted.all == ["Kim", "Lee"])
    }

    @Test func bothAnswersAreWaitedFor() async throws {
        let (first, second, seen) = (AuthStream.success(1), AuthStream.success("a"), Notes<String>())
        let show: @Sendable (Int, String) -> Void = { seen.add("\($0)\($1)") }
        // ComingFromRxSwift: zip of answers
        async let number = first.value
        async let letter = second.value
        show(try await number, try await letter)
        // ComingFromRxSwift end
        #expect(seen.all == ["1a"])
    }

    @Test func anOutcomeIsLookedAt() async {
        let log = Notes<Outcome<String>>()
        // ComingFromRxSwift: do(onNext:)
        let logged = profile.onResult { log.add($0) }
        // ComingFromRxSwift end
        #expect(await logged.result == .success("kim"))
        #expect(log.all == [.success("kim")])
    }
}
