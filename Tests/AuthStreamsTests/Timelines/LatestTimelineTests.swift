import AuthStreams
import AuthStreamsTesting
import Testing

/// The view of a broadcast that conflates.
@Suite struct LatestTimelineTests {
    private func connect(_ rows: TimelineRows, _ broadcast: Broadcast<Character>, readers: [String]) {
        rows.write("writer", to: broadcast)
        for name in readers { rows.output(name, broadcast.latest) }
    }

    @Test func readerThatKeepsUpSeesEveryElement() throws {
        try specify(
            """
            writer  -a-b--c-|
            reader  pa-b--c-|
            late        b-c-|
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["reader", "late"]) }
    }

    @Test func busyReaderGetsTheNewestAndSkipsTheRestWithoutCounting() throws {
        try specify(
            """
            writer  -ab-cd-e----|
            slow    p##b#d#e----|
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["slow"]) }
    }

    @Test func elementsSentInOneGoAreOne() throws {
        try specify(
            """
            writer  -(abc)-(de)-|
            reader  pc-----e----|
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["reader"]) }
    }

    @Test func readerThatIsUpToDateGetsNothingTwice() throws {
        try specify(
            """
            writer  -a-------b-|
            slow    pa####---b-|
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["slow"]) }
    }

    @Test func readerReadsTheNewestAfterTheEnd() throws {
        try specify(
            """
            writer  -ab|
            slow    p####(b|)
            late          (b|)
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["slow", "late"]) }
    }

    @Test func withoutAPresentReaderBeginsWithTheNewestOfWhatComesNext() throws {
        try specify(
            """
            writer  a--(bc)-d-|
            early   a--c----d-|
            late     --c----d-|
            slow     --c###-d-|
            """
        ) { rows in connect(rows, Broadcast(), readers: ["early", "late", "slow"]) }
    }

    @Test func readerThatLeavesItsLoopLeavesTheOthersAlone() throws {
        try specify(
            """
            writer   -a--bc-|
            leaving  pa##<
            staying  pa--bc-|
            """
        ) { rows in connect(rows, Broadcast("p"), readers: ["leaving", "staying"]) }
    }

    @Test func cancelledReaderEndsAtOnceAndAloneAtWhicheverInstant() throws {
        try specify(
            """
            writer     -a-(bc)--d--|
            cancelled  pa-c-----d--|
            staying    pa-c-----d--|
            """, cancelling: "cancelled"
        ) { rows in connect(rows, Broadcast("p"), readers: ["cancelled", "staying"]) }
    }

    @Test func cancelledBusyReaderDoesNotGetTheNewest() throws {
        try specify(
            """
            writer     -abc----|
            cancelled  p#b##c--|
            """, cancelling: "cancelled"
        ) { rows in connect(rows, Broadcast("p"), readers: ["cancelled"]) }
    }
}
