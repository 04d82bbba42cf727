import AuthStreams
import AuthStreamsTesting
import Testing

/// What is shown when a timeline went another way.
@Suite struct TimelineMismatchTests {
    private func mismatch(_ picture: String, _ connect: (TimelineRows) -> Void) -> TimelineMismatch? {
        #expect(throws: TimelineMismatch.self) { try Timeline(picture).run(connect) }
    }

    @Test func expectedAndActualStandOneUnderTheOther() {
        let mismatch = mismatch(
            """
            taps     a-b-c--|
            same     a-b-c--|
            results  a---c--|
            """
        ) { rows in
            let broadcast = Broadcast<Character>()
            rows.write("taps", to: broadcast)
            rows.output("same", broadcast)
            rows.output("results", broadcast)
        }
        #expect(
            mismatch?.description == """
                Row "results" went another way at instant 2:

                    taps     a-b-c--|
                    same     a-b-c--|
                    results  a---c--|   expected
                    results  a-b-c--|   actual
                               ^
                """)
        #expect(
            mismatch?.expected == """
                taps     a-b-c--|
                same     a-b-c--|
                results  a---c--|
                """)
        #expect(
            mismatch?.actual == """
                taps     a-b-c--|
                same     a-b-c--|
                results  a-b-c--|
                """)
    }

    @Test func theRowThatWentAnotherWayFirstIsNamed() {
        let mismatch = mismatch(
            """
            taps  a-b|
            one   a--|
            two   --b|
            """
        ) { rows in
            let broadcast = Broadcast<Character>()
            rows.write("taps", to: broadcast)
            rows.output("one", broadcast)
            rows.output("two", broadcast)
        }
        #expect(mismatch?.description.hasPrefix("Row \"two\" went another way at instant 0:") ?? false)
    }

    @Test func groupThatHasNoRoomIsANote() {
        let mismatch = mismatch(
            """
            one  a-|
            two  b-|
            out  a-|
            """
        ) { rows in
            let broadcast = Broadcast<Character>()
            rows.write("one", to: broadcast)
            rows.write("two", send: { broadcast.send($0) })
            rows.output("out", broadcast)
        }
        #expect(
            mismatch?.description == """
                Row "out" went another way at instant 0:

                    one  a-|
                    two  b-|
                    out  a-|   expected
                    out  *-|   actual
                         ^

                    * in out at instant 0 is (ab)
                """)
    }

    @Test func elementWithoutACharacterIsANote() {
        let mismatch = mismatch(
            """
            taps  -a-|
            out   -a-|
            """
        ) { rows in rows.output("out", rows.input("taps").map { _ in "something else" }, as: ["a": "what was wanted"]) }
        #expect(mismatch?.actual == "taps  -a-|\nout   -?-|")
        #expect(mismatch?.description.hasSuffix("\n\n    ? in out at instant 1 is something else") ?? false)
    }

    @Test func rowThatDoesNotEndWhereItShouldGoesOn() {
        let mismatch = mismatch(
            """
            taps  -a-|
            out   -a-|
            """
        ) { rows in
            rows.write("taps", send: { _ in })
            let broadcast = Broadcast<Character>()
            rows.output("out", broadcast)
        }
        #expect(mismatch?.actual == "taps  -a-|\nout   ----")
    }

    @Test func readerThatDoesNotEndWhenCancelledAtTheLastInstantIsFound() {
        let mismatch = mismatch("out  -X") { rows in
            rows.output("out", Deaf(task: rows.task { try? await rows.clock.sleep(for: .seconds(60)) }))
        }
        #expect(mismatch?.actual == "out  -X-")
    }

    @Test func readerThatIsNotBusyWhenItShouldBeIsFound() {
        let mismatch = mismatch(
            """
            taps  -a-|
            out   a##|
            """
        ) { rows in rows.output("out", rows.input("taps")) }
        #expect(mismatch?.actual == "taps  -a-|\nout   -a#|")
    }

    @Test func inputRowShowsWhereItWasReadAndHowThatEnded() {
        let read = mismatch(
            """
            start  --a-------
            taps   a-b-c-d-e|
            out    --b-c-d<
            """
        ) { rows in
            let taps = rows.input("taps")
            rows.output("out", rows.input("start").flatMapFirst { _ in taps })
        }
        #expect(read?.actual == "start  --a----X\ntaps     b-c-dX\nout    --b-c-d<")
        let left = mismatch("taps  a-b-|\nout   a-(b<)") { rows in rows.output("out", rows.input("taps")) }
        #expect(left?.actual == "taps  a-(b<)\nout   a-(b<)")
        let unread = mismatch("taps  a-b-|") { rows in _ = rows.input("taps") }
        #expect(unread?.actual == "taps  ")
    }
}

/// Waits for another task, which its own cancellation does not end.
private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let task: Task<Void, Never>

    func makeAsyncIterator() -> Self { self }

    func next() async -> Character? {
        await task.value
        return nil
    }
}
