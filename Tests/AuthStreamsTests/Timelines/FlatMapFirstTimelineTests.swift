import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct FlatMapFirstTimelineTests {
    /// Every tap starts the input row of its name.
    private func connect(_ rows: TimelineRows) {
        rows.output("results", rows.input("taps").flatMapFirst { rows.input("\($0)") })
    }

    @Test func tapIsIgnoredWhileOneIsInFlight() throws {
        try specify(
            """
            taps     -a-bb---c----|
            a         --1--2|
            c                --3--|
            results  ---1--2---3--|
            """, connect)
    }

    @Test func tapInTheInstantInWhichTheOneInFlightEndsCountsOnceThatHasEnded() throws {
        try specify(
            """
            a         --1|
            taps     -a--b---|
            b            -2-|
            results  ---1-2--|
            """, connect)
    }

    @Test func tapThatComesJustBeforeTheEndOfTheOneInFlightIsIgnored() throws {
        try specify(
            """
            taps     -a--b-c---|
            a         -1-|
            c              2-|
            results  --1---2---|
            """, connect)
    }

    @Test func theEndWaitsForTheOneInFlight() throws {
        try specify(
            """
            taps     -a--|
            a         ----1--|
            results  -----1--|
            """, connect)
    }

    @Test func theEndOfTheTapsIsTheEndWhenNoneIsInFlight() throws {
        try specify(
            """
            taps     -a-----|
            a         1-|
            results  -1-----|
            """, connect)
    }

    @Test func readerThatIsBusyGetsEveryResultInItsOwnTime() throws {
        try specify(
            """
            taps     -a-------b-|
            a         -12-3|
            b                 4|
            results  --1###2#3#4|
            """, connect)
    }

    @Test func nothingStartsBeforeItIsRead() throws {
        try specify(
            """
            started  ----a----
            taps        -a---|
            a            -1-|
            results     --1--|
            """
        ) { rows in
            let started = rows.log("started")
            rows.output(
                "results",
                rows.input("taps").flatMapFirst { name in
                    started(name)
                    return rows.input("\(name)")
                })
        }
    }

    @Test func cancellationAtAnyInstantCancelsTheTapsAndTheOneInFlight() throws {
        try specify(
            """
            taps     -a-b----c----|
            a         --1--2|
            c                --3--|
            results  ---1--2---3--|
            """, cancelling: "results", connect)
    }

    @Test func leavingTheLoopLetsGoOfTheTapsAndCancelsTheOneInFlight() throws {
        try specify(
            """
            taps     -a-X
            a         -1X
            results  --1<
            """, connect)
    }

    @Test func whatTheTapsThrowEndsTheOneInFlightAndIsThrown() throws {
        try specify(
            """
            taps     -a---!
            a         -1--X
            results  --1--!
            """
        ) { rows in
            rows.output("results", rows.throwingInput("taps").flatMapFirst { rows.input("\($0)") })
        }
    }

    @Test func whatAnInnerSequenceThrowsEndsTheTapsAndIsThrown() throws {
        try specify(
            """
            taps     -a--X
            a         -1-!
            results  --1-!
            """
        ) { rows in
            rows.output("results", rows.input("taps").flatMapFirst { rows.throwingInput("\($0)") })
        }
    }

    @Test func whatCameBeforeAnErrorIsStillRead() throws {
        try specify(
            """
            taps     -a--X
            a         123!
            results  -1####2#(3!)
            """
        ) { rows in
            rows.output("results", rows.input("taps").flatMapFirst { rows.throwingInput("\($0)") })
        }
    }

    @Test func whoHasSeenTheResultOfAnAttemptCanTapAgain() throws {
        try specify(
            """
            taps     -abc----|
            results  ---a-c--|
            """
        ) { rows in
            let attempts = rows.input("taps").flatMapFirst { tap in
                AuthStream<Character> {
                    try await rows.clock.sleep(for: .seconds(2))
                    return tap
                }
            }
            rows.output("results", attempts, as: .results())
        }
    }

    @Test func sequenceOfOlderSystemsGoesTheSameWay() throws {
        try specify(
            """
            taps     -a-b----c----|
            a         --1--2|
            c                --3--|
            results  ---1--2---3--|
            """, cancelling: "results"
        ) { rows in
            let results: FlatMapFirstSequence<TimelineInput<Character>, TimelineInput<Character>> =
                rows.input("taps").flatMapFirst { rows.input("\($0)") }
            rows.output("results", results)
        }
    }

    @Test func operatorInsideAnOperatorStaysOnTheTimeline() throws {
        try specify(
            """
            outer    a--------b-|
            a        -c---d--|
            c         -1-|
            d             2|
            b                 e-|
            e                 3|
            results  --1--2---3-|
            """, cancelling: "results"
        ) { rows in
            rows.output(
                "results",
                rows.input("outer").flatMapFirst { name in
                    rows.input("\(name)").flatMapFirst { rows.input("\($0)") }
                })
        }
    }
}
