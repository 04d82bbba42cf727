import AuthStreams
import AuthStreamsTesting
import Testing

/// Attempts in time: small letters are successes, `N` is a lost network, `T` a time-out, `C` a cancellation.
@Suite struct AuthStreamTimelineTests {
    private typealias Attempt = AuthStream<Character>

    /// Takes so long, and logs its beginning.
    private func attempt(
        _ seconds: Int, _ outcome: Character, on clock: ManualClock, began: @escaping @Sendable (Character) -> Void
    ) -> Attempt {
        Attempt {
            began(outcome)
            try await clock.sleep(for: .seconds(seconds))
            if outcome.isUppercase { throw AuthError(.network, "Offline.") }
            return outcome
        }
    }

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

    // MARK: Chains

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

    // MARK: Retry

    /// Takes a second, and has these outcomes one after the other.
    private func attempts(
        _ outcomes: String, on rows: TimelineRows, retryAfter pause: Duration? = nil
    ) -> Attempt {
        let (clock, began) = (rows.clock, rows.log("began"))
        let rest = Lock(Array(outcomes))
        return Attempt {
            let outcome = rest.withLock { $0.isEmpty ? "?" : $0.removeFirst() }
            began(outcome)
            try await clock.sleep(for: .seconds(1))
            switch outcome {
            case "N": throw AuthError(.network, "Offline.", retryAfter: pause)
            case "D": throw AuthError(.accessDenied, "No.")
            default: return outcome
            }
        }
    }

    @Test func retriesWaitOneTwoFourSeconds() throws {
        try specify(
            """
            began   N-N--N----a-------
            result  -----------(a|)
            """, cancelling: "result", delivering: "C"
        ) { rows in rows.output("result", attempts("NNNa", on: rows).retry(5, clock: rows.clock), as: .results()) }
    }

    @Test func lastErrorIsTheOutcomeWhenTheRetriesAreUsedUp() throws {
        try specify(
            """
            began   N-N--N-------
            result  ------(N|)
            """, cancelling: "result", delivering: "C"
        ) { rows in rows.output("result", attempts("NNNa", on: rows).retry(2, clock: rows.clock), as: .results()) }
    }

    @Test func retryWaitsAsLongAsTheServerAsked() throws {
        try specify(
            """
            began   N-----N-----a------
            result  -------------(a|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempts("NNa", on: rows, retryAfter: .seconds(5)).retry(2, clock: rows.clock)
            rows.output("result", stream, as: .results())
        }
    }

    @Test func errorThatDoesNotPassIsNotRetried() throws {
        try specify(
            """
            began   N-D------
            result  ---(D|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let outcomes = TimelineAlphabet.results(failures: ["D": .accessDenied, "C": .cancelled])
            rows.output("result", attempts("NDa", on: rows).retry(5, clock: rows.clock), as: outcomes)
        }
    }

    // MARK: Timeout

    @Test func attemptThatTakesTooLongTimesOut() throws {
        try specify(
            """
            began   a-------
            result  ---(T|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempt(5, "a", on: rows.clock, began: rows.log("began"))
            rows.output("result", stream.timeout(.seconds(3), clock: rows.clock), as: .results())
        }
    }

    @Test func attemptWithinTheLimitIsNotTouched() throws {
        try specify(
            """
            began   a----------
            result  --(a|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempt(2, "a", on: rows.clock, began: rows.log("began"))
            rows.output("result", stream.timeout(.seconds(3), clock: rows.clock), as: .results())
        }
    }

    @Test func successThatComesAtTheLimitCounts() throws {
        try specify(
            """
            began   a-------
            result  ---(a|)
            """
        ) { rows in
            let stream = attempt(3, "a", on: rows.clock, began: rows.log("began"))
            rows.output("result", stream.timeout(.seconds(3), clock: rows.clock), as: .results())
        }
    }

    @Test func attemptThatIgnoresItsCancellationDelaysTheTimeoutAndItsSuccessCounts() throws {
        try specify(
            """
            slow      -----(a|)
            too-slow  -----(T|)
            """
        ) { rows in
            let clock = rows.clock
            let stubborn = Attempt {
                await rows.task { try? await clock.sleep(for: .seconds(5)) }.value
                return "a"
            }
            let failing: Attempt = stubborn.flatMap { _ async throws in throw AuthError(.network, "Offline.") }
            rows.output("slow", stubborn.timeout(.seconds(3), clock: clock), as: .results())
            rows.output("too-slow", failing.timeout(.seconds(3), clock: clock), as: .results())
        }
    }

    @Test func retryWithinATimeoutEndsWithIt() throws {
        try specify(
            """
            began   N-N--N------
            result  --------(T|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempts("NNNa", on: rows).retry(5, clock: rows.clock)
            rows.output("result", stream.timeout(.seconds(8), clock: rows.clock), as: .results())
        }
    }

    @Test func timeoutWithinARetryIsRetried() throws {
        try specify(
            """
            began   a--a---a-----
            result  ---------(T|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempt(5, "a", on: rows.clock, began: rows.log("began"))
            let limited = stream.timeout(.seconds(2), clock: rows.clock).retry(2, clock: rows.clock)
            rows.output("result", limited, as: .results())
        }
    }

    // MARK: What is done counts

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
