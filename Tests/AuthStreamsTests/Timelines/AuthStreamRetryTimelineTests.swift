import AuthStreams
import AuthStreamsTesting
import Testing

/// Attempts that are repeated: `N` is a lost network, `D` a denial, `T` a time-out, `C` a cancellation.
@Suite struct AuthStreamRetryTimelineTests {
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
}
