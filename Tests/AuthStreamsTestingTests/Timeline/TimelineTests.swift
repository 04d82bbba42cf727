import AuthStreams
import AuthStreamsTesting
import Testing

/// What each mark means.
@Suite struct TimelineTests {
    @Test func readerGetsEachElementAtItsInstant() throws {
        try Timeline(
            """
            taps     a--b-c--|
            results  a--b-c--|
            """
        ).run { rows in rows.output("results", rows.input("taps")) }
    }

    @Test func everyTapOfTheExampleShowsItsResult() throws {
        try Timeline(
            """
            taps     a-b----c----|
            first    --1--2|
            second          --3|
            results  --1--2---3--|
            """
        ).run { rows in
            let answers: [Character: String] = ["a": "first", "c": "second"]
            let taps = rows.input("taps")
            rows.output("results", taps.flatMapFirst { rows.input(answers[$0] ?? "none") })
        }
    }

    @Test func groupIsSentInOneGoAtItsFirstInstant() throws {
        try Timeline(
            """
            writer  -(abc)-d-(e|)
            all     -(abc)-d-(e|)
            newest  -c-----d-(e|)
            """
        ).run { rows in
            let broadcast = Broadcast<Character>()
            rows.write("writer", to: broadcast)
            rows.output("all", broadcast)
            rows.output("newest", broadcast.latest)
        }
    }

    @Test func readerJoinsWhereItsRowBeginsBeforeAnythingIsSentThere() throws {
        try Timeline(
            """
            writer  a-b-c-|
            early   a-b-c-|
            late      b-c-|
            later      -c-|
            """
        ).run { rows in
            let broadcast = Broadcast<Character>()
            rows.write("writer", to: broadcast)
            for name in ["early", "late", "later"] { rows.output(name, broadcast) }
        }
    }

    @Test func busyReaderReadsOnAtTheNextMark() throws {
        try Timeline(
            """
            taps  abc-----d-|
            slow  a##b#c--d#|
            """
        ).run { rows in rows.output("slow", rows.input("taps")) }
    }

    @Test func readerLeavesItsLoopWithAnElementInHand() throws {
        try Timeline(
            """
            one    a--b<
            two    a--(b<)
            three  abc-<
            four   a-(bcd<)
            at     a--b<
            with   a--(b<)
            after  a###<
            two-of a-(bc<)
            """
        ).run { rows in
            rows.output("at", rows.input("one"))
            rows.output("with", rows.input("two"))
            rows.output("after", rows.input("three"))
            rows.output("two-of", rows.input("four"))
        }
    }

    @Test func cancelledReaderEndsAtOnceOrLaterOrNotAtAll() throws {
        try Timeline(
            """
            gives-way  --X
            stubborn   --X--|
            deaf       --X---
            last-word  --(Xw)
            thrower    --(X!)
            """
        ).run { rows in
            rows.output("gives-way", Patience { try? await rows.clock.sleep(for: .seconds(60)) })
            rows.output(
                "stubborn",
                Patience { await rows.task { try? await rows.clock.sleep(for: .seconds(5)) }.value })
            rows.output(
                "deaf", Patience { await rows.task { try? await rows.clock.sleep(for: .seconds(60)) }.value })
            rows.output("last-word", AuthStream<Character>.sleeping(on: rows.clock), as: .word)
            rows.output("thrower", ThrowingPatience { try await rows.clock.sleep(for: .seconds(60)) })
        }
    }

    @Test func errorThatIsThrownMayShowItsCharacter() throws {
        try Timeline(
            """
            one    a-!
            two    b-!
            plain  a-!
            named  b-(!F)
            """
        ).run { rows in
            rows.output("plain", rows.throwingInput("one"))
            rows.output("named", rows.throwingInput("two"), failures: { $0 is TimelineFailure ? "F" : nil })
        }
    }

    @Test func gapIsShownBeforeTheElementThatEndedIt() throws {
        try Timeline(
            """
            writer  abcdef--------|
            slow    a######(~4f)--|
            """
        ).run { rows in
            let broadcast = Broadcast<Character>(limit: 2)
            rows.write("writer", to: broadcast)
            rows.output("slow", broadcast, skipped: \.skipped)
        }
    }

    @Test func elementsOfAnyTypeHaveAnAlphabet() throws {
        let numbers: TimelineAlphabet<Int> = ["a": 1, "b": 20]
        try Timeline(
            """
            numbers  a--b--|
            writer   b--a--|
            doubles  a--b--|
            sent     b--a---
            """
        ).run { rows in
            let sent = rows.log("sent", as: numbers)
            rows.write("writer", as: numbers, send: sent)
            rows.output("doubles", rows.input("numbers", as: numbers).map { $0 * 2 }, as: ["a": 2, "b": 40])
        }
    }

    @Test func outcomesAreSmallLettersAndCapitals() throws {
        try Timeline(
            """
            results  aTNSACb|
            again    aTNSACb|
            codes    --N-----
            """
        ).run { rows in
            let code = rows.log("codes")
            rows.output(
                "again",
                rows.input("results", as: .results()).map { result in
                    if case .failure(let error) = result, error.code == .network { code("N") }
                    return result
                }, as: .results())
        }
    }
}

extension TimelineAlphabet where Element == Result<Character, AuthError> {
    /// Anything is a last word.
    fileprivate static var word: Self { Self(read: { _ in nil }, write: { _ in "w" }) }
}

extension AuthStream where Success == Character {
    fileprivate static func sleeping(on clock: ManualClock) -> Self {
        AuthStream {
            try await clock.sleep(for: .seconds(60))
            return "?"
        }
    }
}

/// Ends when its waiting does.
private struct Patience: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let wait: @Sendable () async -> Void

    func makeAsyncIterator() -> Self { self }

    func next() async -> Character? {
        await wait()
        return nil
    }
}

private struct ThrowingPatience: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let wait: @Sendable () async throws -> Void

    func makeAsyncIterator() -> Self { self }

    func next() async throws -> Character? {
        try await wait()
        return nil
    }
}
