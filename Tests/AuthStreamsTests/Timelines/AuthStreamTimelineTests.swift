import AuthStreams
import AuthStreamsTesting
import Testing

/// Attempts in time: small letters are successes, `N` is a lost network, `T` a time-out, `C` a cancellation.
@Suite struct AuthStreamTimelineTests {
    @Test func attemptStartsWhenItIsReadAndEndsWithItsOutcome() throws {
        try specify(
            """
            began   --a-------
            result    ---(a|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            rows.output("result", attempt(3, "a", on: rows.clock, began: rows.log("began")), as: .results())
        }
    }

    @Test func eachReaderHasAnAttemptOfItsOwn() throws {
        try specify(
            """
            began   a---a-------
            first   ---(a|)
            second      ---(a|)
            """
        ) { rows in
            let stream = attempt(3, "a", on: rows.clock, began: rows.log("began"))
            rows.output("first", stream, as: .results())
            rows.output("second", stream, as: .results())
        }
    }

    @Test func nextStepBeginsWhenTheOneBeforeHasSucceeded() throws {
        try specify(
            """
            began   a--b-------
            result  -----(b|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let (clock, began) = (rows.clock, rows.log("began"))
            let chain: Attempt = attempt(3, "a", on: clock, began: began).flatMap { _ in
                attempt(2, "b", on: clock, began: began)
            }
            rows.output("result", chain, as: .results())
        }
    }

    @Test func rescueBeginsWhenTheAttemptHasFailed() throws {
        try specify(
            """
            began   N--b-------
            result  -----(b|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let (clock, began) = (rows.clock, rows.log("began"))
            let stream = attempt(3, "N", on: clock, began: began).recover { _ in
                try await attempt(2, "b", on: clock, began: began).value
            }
            rows.output("result", stream, as: .results())
        }
    }

    @Test func rescueIsNotAskedAfterACancellation() throws {
        try specify(
            """
            asked   ---------
            result  ---(XC)
            """
        ) { rows in
            let (asked, clock) = (rows.log("asked"), rows.clock)
            let stream = attempt(5, "a", on: clock, began: { _ in }).recover { _ in
                asked("r")
                return "r"
            }
            rows.output("result", stream, as: .results())
        }
    }

    @Test func successThatIsThereWhenTheCancelComesIsTheOutcome() throws {
        try specify("result  --(Xa)") { rows in
            let clock = rows.clock
            let committed = Attempt {
                try? await clock.sleep(for: .seconds(9))
                return "a"
            }
            rows.output("result", committed, as: .results())
        }
    }

    @Test func leavingTheLoopAfterTheOutcomeStartsNothingAnew() throws {
        try specify(
            """
            began   a-------
            result  ---(a<)
            """
        ) { rows in
            rows.output("result", attempt(3, "a", on: rows.clock, began: rows.log("began")), as: .results())
        }
    }
}
