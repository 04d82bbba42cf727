import AuthStreams
import AuthStreamsTesting
import Testing

/// The operators that take results one step further, and wait for it: small letters are successes, capitals failures.
@Suite struct ResultStepTimelineTests {
    private let outcomes = TimelineAlphabet.results()

    /// A step that takes so long, and after which `a` is `b`.
    private func step(_ seconds: Int, on clock: ManualClock) -> @Sendable (Character) async throws -> Character {
        { character in
            try await clock.sleep(for: .seconds(seconds))
            guard character != "f" else { throw AuthError(.timedOut, "It took too long.") }
            return following(character)
        }
    }

    @Test func flatMapSuccessTakesOneStepAtATimeAndKeepsTheOrder() throws {
        try specify(
            """
            base     ac---N-e----|
            results  --b-dN---f--|
            """
        ) { rows in
            let stepped = rows.input("base", as: outcomes).flatMapSuccess(step(2, on: rows.clock))
            rows.output("results", stepped, as: outcomes)
        }
    }

    @Test func stepThatThrowsIsAFailureAndEndsNothing() throws {
        try specify(
            """
            base     -a---f----a---|
            results  ---b---T----b-|
            """
        ) { rows in
            let stepped = rows.input("base", as: outcomes).flatMapSuccess(step(2, on: rows.clock))
            rows.output("results", stepped, as: outcomes)
        }
    }

    @Test func stepMayBeAnAttempt() throws {
        try specify(
            """
            base     -a---N----a---|
            results  ---b-N------b-|
            """
        ) { rows in
            let take = step(2, on: rows.clock)
            let stepped = rows.input("base", as: outcomes).flatMapSuccess { character in
                AuthStream { try await take(character) }
            }
            rows.output("results", stepped, as: outcomes)
        }
    }

    @Test func cancellationAtAnyInstantOfAStepIsItsOutcomeAndTheEnd() throws {
        try specify(
            """
            base     (a|)
            results  -----(b|)
            """, cancelling: "results", delivering: "C"
        ) { rows in
            let stepped = rows.input("base", as: outcomes).flatMapSuccess(step(5, on: rows.clock))
            rows.output("results", stepped, as: outcomes)
        }
    }

    @Test func cancellationBetweenStepsIsTheEnd() throws {
        try specify(
            """
            base     -a----X
            results  --b---X
            """
        ) { rows in
            let stepped = rows.input("base", as: outcomes).flatMapSuccess(step(1, on: rows.clock))
            rows.output("results", stepped, as: outcomes)
        }
    }

    @Test func recoverTriesSomethingElseAfterAFailure() throws {
        try specify(
            """
            base     -a--N-----T---|
            results  -a----n-----T-|
            """
        ) { rows in
            let clock = rows.clock
            let recovered = rows.input("base", as: outcomes).recover { error async throws in
                try await clock.sleep(for: .seconds(2))
                guard error.code == .network else { throw error }
                return "n"
            }
            rows.output("results", recovered, as: outcomes)
        }
    }

    @Test func cancellationAtAnyInstantOfARescueIsItsOutcomeAndTheEnd() throws {
        try specify(
            """
            base     (N|)
            results  -----(n|)
            """, cancelling: "results", delivering: "C"
        ) { rows in
            let clock = rows.clock
            let recovered = rows.input("base", as: outcomes).recover { _ async throws in
                try await clock.sleep(for: .seconds(5))
                return "n"
            }
            rows.output("results", recovered, as: outcomes)
        }
    }

    @Test func recoverIsNotAskedAfterACancellation() throws {
        try specify(
            """
            taps     -a-X
            asked    -------
            results  ---(XC)
            """
        ) { rows in
            let (asked, clock) = (rows.log("asked"), rows.clock)
            let recovered = rows.input("taps").map { _ -> Result<Character, AuthError> in
                do { try await clock.sleep(for: .seconds(9)) } catch { return .failure(.cancelled) }
                return .success("?")
            }.recover { _ async throws in
                asked("r")
                return "r"
            }
            rows.output("results", recovered, as: outcomes)
        }
    }
}
