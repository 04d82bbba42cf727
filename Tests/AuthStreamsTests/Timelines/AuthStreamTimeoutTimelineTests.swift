import AuthStreams
import AuthStreamsTesting
import Testing

/// Attempts with a limit: `T` is a time-out, `N` a lost network, `C` a cancellation.
@Suite struct AuthStreamTimeoutTimelineTests {
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

    @Test func timeoutWithinARetryIsNotRetried() throws {
        try specify(
            """
            began   a------
            result  --(T|)
            """, cancelling: "result", delivering: "C"
        ) { rows in
            let stream = attempt(5, "a", on: rows.clock, began: rows.log("began"))
            let limited = stream.timeout(.seconds(2), clock: rows.clock).retry(2, clock: rows.clock)
            rows.output("result", limited, as: .results())
        }
    }
}
