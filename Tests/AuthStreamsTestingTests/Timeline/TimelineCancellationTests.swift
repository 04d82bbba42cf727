import AuthStreams
import AuthStreamsTesting
import Testing

/// Timelines that are played once for each instant of a reader, with that reader cancelled there.
@Suite struct TimelineCancellationTests {
    @Test func readerIsCancelledAtEachInstantAtWhichItIsThere() throws {
        let plays = Lock(0)
        try Timeline(
            """
            taps  -a-(bc)--d-|
            out   -a-(bc)--d-|
            """
        ).run(cancelling: "out") { rows in
            plays.withLock { $0 += 1 }
            rows.output("out", rows.input("taps"))
        }
        #expect(plays.withLock { $0 } == 11)
        try Timeline(
            """
            writer  -a-b-
            out       -b-
            """
        ).run(cancelling: "out") { rows in
            plays.withLock { $0 += 1 }
            let broadcast = Broadcast<Character>()
            rows.write("writer", to: broadcast)
            rows.output("out", broadcast)
        }
        #expect(plays.withLock { $0 } == 14)
    }

    @Test func inputRowsThatAreReadAreCutAndThoseToComeNeverCome() throws {
        try Timeline(
            """
            taps  -a----c--|
            a      --1|
            c           2-|
            log   -a----c---
            out   ---1--2--|
            """
        ).run(cancelling: "out") { rows in
            let log = rows.log("log")
            rows.output(
                "out",
                rows.input("taps").flatMapFirst { name in
                    log(name)
                    return rows.input("\(name)")
                })
        }
    }

    @Test func readerIsGivenALastWordIfItIsSaid() throws {
        let picture = """
            log  a-------
            out  --(w|)
            """
        func play(last: String) throws {
            try Timeline(picture).run(cancelling: "out", delivering: last) { rows in
                let log = rows.log("log")
                rows.output(
                    "out",
                    AuthStream<Character> {
                        log("a")
                        try await rows.clock.sleep(for: .seconds(2))
                        return "w"
                    }, as: .results())
            }
        }
        try play(last: "C")
        let mismatch = #expect(throws: TimelineMismatch.self) { try play(last: "") }
        #expect(mismatch?.actual == "log  a-------\nout  (XC)")
    }

    @Test func busyReaderIsCancelledBeforeItReadsOn() throws {
        try Timeline(
            """
            taps  -abc------|
            out   -a##b#c---|
            """
        ).run(cancelling: "out") { rows in rows.output("out", rows.input("taps")) }
    }

    @Test func readerThatDoesNotEndIsFound() {
        let mismatch = #expect(throws: TimelineMismatch.self) {
            try Timeline("out  ---").run(cancelling: "out") { rows in
                let broadcast = Broadcast<Character>()
                rows.output("out", Shielded(broadcast: broadcast, start: { rows.task($0) }))
            }
        }
        #expect(mismatch?.actual == "out  X--")
    }
}

/// Reads in a task of its own that is never cancelled.
private struct Shielded: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let broadcast: Broadcast<Character>
    let start: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

    func makeAsyncIterator() -> Self { self }

    func next() async -> Character? {
        await start { for await _ in broadcast {} }.value
        return nil
    }
}
