import AuthStreams
import AuthStreamsTesting
import Testing

/// A broadcast that does not replay: readers begin with what is sent after they came.
@Suite struct EventBroadcastTimelineTests {
    private func connect(_ rows: TimelineRows, writers: [String] = ["writer"], readers: [String]) {
        let broadcast = Broadcast<Character>()
        for name in writers { rows.write(name, to: broadcast) }
        for name in readers { rows.output(name, broadcast) }
    }

    @Test func readerBeginsWithWhatComesNext() throws {
        try specify(
            """
            writer  -a--b-(cd)-|
            early   -a--b-(cd)-|
            late      --b-(cd)-|
            at-b        b-(cd)-|
            later        -(cd)-|
            """
        ) { rows in connect(rows, readers: ["early", "late", "at-b", "later"]) }
    }

    @Test func slowReaderGetsEverythingInItsOwnTime() throws {
        try specify(
            """
            writer   abc-d------|
            slow     a##b#c#d#--|
            slower   a#####(bcd)|
            """
        ) { rows in connect(rows, readers: ["slow", "slower"]) }
    }

    @Test func unreadElementsAreReadAfterTheEnd() throws {
        try specify(
            """
            writer  ab-c|
            slow    a####b#(c|)
            """
        ) { rows in connect(rows, readers: ["slow"]) }
    }

    @Test func readerThatJoinsAfterTheEndGetsTheEnd() throws {
        try specify(
            """
            writer  -a-|
            late        |
            """
        ) { rows in connect(rows, readers: ["late"]) }
    }

    @Test func everyReaderSeesTheElementsOfSeveralWritersInOneOrder() throws {
        try specify(
            """
            one     a-----c-(ef)---|
            two     b------d(gh)----
            reader  (ab)--cd(efgh)-|
            late         -cd(efgh)-|
            """
        ) { rows in connect(rows, writers: ["one", "two"], readers: ["reader", "late"]) }
    }

    @Test func readerThatLeavesItsLoopLeavesTheOthersAlone() throws {
        try specify(
            """
            writer    -a--b--c-|
            leaving   -a--(b<)
            thinking  -a###<
            staying   -a--b--c-|
            """
        ) { rows in connect(rows, readers: ["leaving", "thinking", "staying"]) }
    }

    @Test func cancelledReaderEndsAtOnceAndAloneAtWhicheverInstant() throws {
        try specify(
            """
            writer     -a-(bc)--d--|
            cancelled  -a-(bc)--d--|
            staying    -a-(bc)--d--|
            """, cancelling: "cancelled"
        ) { rows in connect(rows, readers: ["cancelled", "staying"]) }
    }

    @Test func cancelledReaderDoesNotReadWhatWasUnread() throws {
        try specify(
            """
            writer     -abc--------|
            cancelled  -a##b##c#---|
            """, cancelling: "cancelled"
        ) { rows in connect(rows, readers: ["cancelled"]) }
    }
}
