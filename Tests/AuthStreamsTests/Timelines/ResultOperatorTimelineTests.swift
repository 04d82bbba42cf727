import AuthStreams
import AuthStreamsTesting
import Testing

/// The operators on sequences of results: small letters are successes, capitals failures.
@Suite struct ResultOperatorTimelineTests {
    private let outcomes = TimelineAlphabet.results()

    @Test func mapSuccessChangesSuccessesWhereTheyAre() throws {
        try specify(
            """
            base     a-N-(ab)--|
            results  b-N-(bc)--|
            """, cancelling: "results"
        ) { rows in
            let mapped = rows.input("base", as: outcomes).mapSuccess { following($0) }
            rows.output("results", mapped, as: outcomes)
        }
    }

    @Test func whatMapSuccessThrowsIsAFailureAndEndsNothing() throws {
        try specify(
            """
            base     a-f-a|
            results  b-T-b|
            """
        ) { rows in
            let mapped = rows.input("base", as: outcomes).mapSuccess { character throws in
                guard character != "f" else { throw AuthError(.timedOut, "It took too long.") }
                return following(character)
            }
            rows.output("results", mapped, as: outcomes)
        }
    }

    @Test func mapFailureChangesFailuresWhereTheyAre() throws {
        try specify(
            """
            base     a-N-(aN)--|
            results  a-T-(aT)--|
            """, cancelling: "results"
        ) { rows in
            let mapped = rows.input("base", as: outcomes).mapFailure { _ in AuthError(.timedOut, "Slow.") }
            rows.output("results", mapped, as: outcomes)
        }
    }

    @Test func successesAreTheValuesWithoutTheFailures() throws {
        try specify(
            """
            base     a-N-(bNNc)--|
            results  a---(bc)----|
            """, cancelling: "results"
        ) { rows in rows.output("results", rows.input("base", as: outcomes).successes) }
    }

    @Test func valuesThrowTheFirstFailure() throws {
        try specify(
            """
            base     a-b-(N<)
            results  a-b-(!N)
            """
        ) { rows in
            rows.output("results", rows.input("base", as: outcomes).values, failures: character(of:))
        }
    }

    @Test func valuesWithoutAFailureEndWithTheirBase() throws {
        try specify(
            """
            base     a-b-(cd)--|
            results  a-b-(cd)--|
            """, cancelling: "results"
        ) { rows in rows.output("results", rows.input("base", as: outcomes).values, failures: character(of:)) }
    }

    @Test func whatTheBaseThrowsIsThrown() throws {
        try specify(
            """
            one      a-N-!
            two      a-N-!
            three    a---!
            mapped   b-N-!
            without  a---!
            values   a---!
            """
        ) { rows in
            rows.output(
                "mapped", rows.throwingInput("one", as: outcomes).mapSuccess { following($0) }, as: outcomes)
            rows.output("without", rows.throwingInput("two", as: outcomes).successes)
            rows.output("values", rows.throwingInput("three", as: outcomes).values)
        }
    }

    @Test func leavingTheLoopLetsGoOfTheBase() throws {
        try specify(
            """
            base     a-b-<
            results  b-c#<
            """
        ) { rows in
            let mapped = rows.input("base", as: outcomes).mapSuccess { following($0) }
            rows.output("results", mapped, as: outcomes)
        }
    }
}

private func character(of error: any Error) -> Character? {
    (error as? AuthError)?.code == .network ? "N" : "?"
}
