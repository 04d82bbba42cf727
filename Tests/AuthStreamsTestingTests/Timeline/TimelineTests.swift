import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct TimelineTests {
    @Test func readerGetsEachElementAtItsInstant() throws {
        try Timeline(
            """
            taps     a--b-c--|
            results  a--b-c--|
            """
        ).run { rows in rows.output("results", rows.input("taps")) }
    }

    @Test func groupHappensAtItsFirstInstant() throws {
        try Timeline(
            """
            taps     -(abc)-d-(e|)
            results  -(abc)-d-(e|)
            """
        ).run { rows in rows.output("results", rows.input("taps")) }
    }

    @Test func everyTapOfTheExampleShowsItsResult() throws {
        try Timeline(
            """
            taps     a-b----c----|
            first    --1--2|
            second          --3|
            results  --1--2---3--|
            """
        ).run { rows in
            let answers: [Character: String] = ["a": "first", "c": "second"]
            let taps = rows.input("taps")
            rows.output("results", taps.flatMapFirst { rows.input(answers[$0] ?? "none") })
        }
    }
}
