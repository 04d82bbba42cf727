import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct FlatMapLatestTimelineTests {
    /// Every choice starts the input row of its name.
    private func connect(_ rows: TimelineRows) {
        rows.output("results", rows.input("choices").flatMapLatest { rows.input("\($0)") })
    }

    @Test func newChoiceCancelsTheOneInFlight() throws {
        try specify(
            """
            choices  -a---b-----c--|
            a         --1-X
            b             --2---X
            c                   3--|
            results  ---1---2---3--|
            """, cancelling: "results", connect)
    }

    @Test func nothingOfTheReplacedOneIsHeardInTheInstantOfTheChoice() throws {
        try specify(
            """
            choices  -a---b----|
            a         --1-X
            b             2--3|
            results  ---1-2--3-|
            """, connect)
    }

    @Test func whatCameJustBeforeTheChoiceIsHeard() throws {
        try specify(
            """
            a         --1-(2X)
            choices  -a---b-------|
            b             -----3|
            results  ---1-2----3--|
            """, connect)
    }

    @Test func choicesInOneGoStartOnlyTheLastOneThatStays() throws {
        try specify(
            """
            choices  -(abc)-----|
            a         X
            b         X
            c         ---1--2|
            results  ----1--2---|
            """, connect)
    }

    @Test func innerSequenceThatHasEndedLeavesNothingToCancel() throws {
        try specify(
            """
            choices  -a-----b---|
            a         -1-|
            b               2|
            results  --1----2---|
            """, connect)
    }

    @Test func theEndWaitsForTheLatest() throws {
        try specify(
            """
            choices  -a-b-|
            a         --X
            b           ---2--|
            results  ------2--|
            """, cancelling: "results", connect)
    }

    @Test func theEndOfTheChoicesIsTheEndWhenNothingIsInFlight() throws {
        try specify(
            """
            choices  -a----|
            a         1-|
            results  -1----|
            """, connect)
    }

    @Test func busyReaderGetsWhatTheLatestDelivered() throws {
        try specify(
            """
            choices  -a--------|
            a         1234-|
            results  -1####2#3#(4|)
            """, connect)
    }

    @Test func whatWaitsOfAReplacedOneIsDropped() throws {
        try specify(
            """
            choices  -a---b-----|
            a         1234X
            b             -5|
            results  -1#####5---|
            """, connect)
    }

    @Test func leavingTheLoopLetsGoOfTheChoicesAndTheLatest() throws {
        try specify(
            """
            choices  -a--X
            a         -1-X
            results  --1#<
            """, connect)
    }

    @Test func whatTheChoicesThrowEndsTheLatestAndIsThrown() throws {
        try specify(
            """
            choices  -a---!
            a         -1--X
            results  --1--!
            """
        ) { rows in
            rows.output("results", rows.throwingInput("choices").flatMapLatest { rows.input("\($0)") })
        }
    }

    @Test func whatTheLatestThrowsEndsTheChoicesAndIsThrown() throws {
        try specify(
            """
            choices  -a--X
            a         -1-!
            results  --1-!
            """
        ) { rows in
            rows.output("results", rows.input("choices").flatMapLatest { rows.throwingInput("\($0)") })
        }
    }

    @Test func replacedOneThatIgnoresItsCancellationHoldsUpNothingAndIsNotHeard() throws {
        try specify(
            """
            choices  -a--b-------|
            results  ------b-----|
            """
        ) { rows in
            let (task, clock) = (rows.task, rows.clock)
            let attempts = rows.input("choices").flatMapLatest { choice in
                AuthStream<Character> {
                    await task { try? await clock.sleep(for: .seconds(choice == "a" ? 6 : 2)) }.value
                    return choice
                }
            }
            rows.output("results", attempts, as: .results())
        }
    }

    @Test func replacedOneIsCancelledBeforeTheNextOneIsMade() throws {
        try specify(
            """
            choices  -a---b------|
            order    -a---(xb)----
            results  --------b---|
            """
        ) { rows in
            let (order, clock) = (rows.log("order"), rows.clock)
            let attempts = rows.input("choices").flatMapLatest { choice in
                order(choice)
                return AuthStream<Character> {
                    try await withTaskCancellationHandler {
                        try await clock.sleep(for: .seconds(choice == "a" ? 9 : 3))
                    } onCancel: {
                        order("x")
                    }
                    return choice
                }
            }
            rows.output("results", attempts, as: .results())
        }
    }

    @Test func attemptThatIsReplacedSaysNothingOfItsCancellation() throws {
        try specify(
            """
            choices  -a--b--c----|
            ended    ----C-b--c---
            results  ------b--c--|
            """
        ) { rows in
            let (ended, clock) = (rows.log("ended", as: .results()), rows.clock)
            let attempts = rows.input("choices").flatMapLatest { choice in
                AuthStream<Character> {
                    try await clock.sleep(for: .seconds(choice == "a" ? 6 : 2))
                    return choice
                }.onResult(ended)
            }
            rows.output("results", attempts, as: .results())
        }
    }

    @Test func sequenceOfOlderSystemsGoesTheSameWay() throws {
        try specify(
            """
            choices  -a---b-----c--|
            a         --1-X
            b             --2---X
            c                   3--|
            results  ---1---2---3--|
            """, cancelling: "results"
        ) { rows in
            let results: FlatMapLatestSequence<TimelineInput<Character>, TimelineInput<Character>> =
                rows.input("choices").flatMapLatest { rows.input("\($0)") }
            rows.output("results", results)
        }
    }
}
