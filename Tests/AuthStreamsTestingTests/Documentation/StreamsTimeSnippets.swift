import AuthStreams
import AuthStreamsTesting
import Testing

/// What the article for RxSwift and Combine shows of time and of tests. Each region is a row of its table, or a block.
@Suite struct StreamsTimeSnippets {
    @Test func whatMayPassIsRetried() async {
        let (clock, attempts) = (ManualClock(), Notes<Void>())
        let profile = AuthStream<Int> {
            attempts.add(())
            throw AuthError(.server, "Down.")
        }
        // ComingFromRxSwift: retry
        let patient = profile.retry(2, clock: clock)
        // ComingFromRxSwift end
        async let outcome = patient.result
        for pause in [1, 2] {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(pause))
        }
        let last = await outcome
        #expect(last == .failure(AuthError(.server, "Down.")))
        #expect(attempts.all.count == 3, "The first, and two further ones.")
    }

    @Test func whatTakesTooLongEnds() async {
        let clock = ManualClock()
        let profile = AuthStream<Int> {
            try await clock.sleep(for: .seconds(60))
            return 1
        }
        // ComingFromRxSwift: timeout
        let quick = profile.timeout(.seconds(30), clock: clock)
        // ComingFromRxSwift end
        async let outcome = quick.result
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(30))
        let late = await outcome
        #expect(late.mapError { AuthError($0.code, "") } == .failure(AuthError(.timedOut, "")))
    }

    @Test func onlyTheLastOfManyChangesIsSearchedFor() throws {
        let picture = """
            text     a-bc-----d----
            settled  ------c-----d-
            """
        try Timeline(picture).run { rows in
            let (text, clock) = (rows.input("text"), rows.clock)
            // ComingFromRxSwift: debounce
            let settled = text.flatMapLatest { text in
                AuthStream {
                    try await clock.sleep(for: .seconds(3))
                    return text
                }
            }
            // ComingFromRxSwift end
            rows.output("settled", settled, as: .results())
        }
    }

    @Test func timeStandsStillUntilItIsMoved() async throws {
        // ComingFromRxSwift: TestScheduler
        let clock = ManualClock()
        async let waiting: Void = clock.sleep(for: .seconds(30))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(30))
        // ComingFromRxSwift end
        try await waiting
        #expect(clock.now.offset == .seconds(30))
    }

    @Test func aPictureIsPlayed() throws {
        let picture = """
            numbers  1-2-3|
            results  2-4-6|
            """
        let twice: @Sendable (Character) -> Character = { ["1": "2", "2": "4", "3": "6"][$0] ?? "?" }
        // ComingFromRxSwift: marble tests
        try Timeline(picture).run { rows in
            rows.output("results", rows.input("numbers").map(twice))
        }
        // ComingFromRxSwift end
    }

    // ComingFromRxSwift: a test of time
    @Test func theLimitIsThirtySeconds() async throws {
        let clock = ManualClock()
        let answer = AuthStream {
            try await clock.sleep(for: .seconds(600))
            return "answered"
        }
        async let text = answer.timeout(.seconds(30), clock: clock).recover { $0.code.rawValue }.value
        await clock.waitForSleepers(count: 2)  // the attempt and its limit
        clock.advance(by: .seconds(30))
        let outcome = try await text
        #expect(outcome == "timedOut")
    }
    // ComingFromRxSwift end

    // ComingFromRxSwift: a test as a picture
    @Test func aTapWhileOneIsInFlightIsIgnored() throws {
        try Timeline(
            """
            taps     -a-b-----c-----|
            results  -----a-------c-|
            """
        ).run { rows in
            let clock = rows.clock
            let results = rows.input("taps").flatMapFirst { tap in
                AuthStream {
                    try await clock.sleep(for: .seconds(4))
                    return tap
                }
            }
            rows.output("results", results, as: .results())
        }
    }
    // ComingFromRxSwift end
}
