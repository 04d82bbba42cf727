import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct SwitchToLatestTimelineTests {
    @Test func theNewestSequenceIsHeardAndTheOneBeforeCancelled() throws {
        try specify(
            """
            base     -a---b------|
            a         -12-X
            b             --3--4|
            results  --12---3--4-|
            """, cancelling: "results"
        ) { rows in
            rows.output("results", rows.input("base").map { rows.input("\($0)") }.switchToLatest())
        }
    }

    @Test func theEndWaitsForTheNewest() throws {
        try specify(
            """
            base     -a|
            a         --1-2|
            results  ---1-2|
            """, cancelling: "results"
        ) { rows in
            rows.output("results", rows.input("base").map { rows.input("\($0)") }.switchToLatest())
        }
    }

    @Test func whatIsThrownIsThrown() throws {
        try specify(
            """
            base     -a--X
            a         -1-!
            results  --1-!
            """
        ) { rows in
            rows.output("results", rows.input("base").map { rows.throwingInput("\($0)") }.switchToLatest())
        }
    }

    @Test func sequencesThatAreSentNotMadeSwitchToo() throws {
        try specify(
            """
            which    -a---b-----
            a        1-2-3-4-5--
            b        7-8-9-0-7--
            results  -12-390-7--
            """
        ) { rows in
            let sources = ["a": Broadcast<Character>("-"), "b": Broadcast<Character>("-")]
            for (name, source) in sources { rows.write(name, to: source) }
            rows.output(
                "results", rows.input("which").map { sources["\($0)"] ?? Broadcast("?") }.switchToLatest())
        }
    }
}
