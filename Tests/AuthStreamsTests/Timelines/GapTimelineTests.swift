import AuthStreams
import AuthStreamsTesting
import Testing

/// Readers that fall further behind than a broadcast allows.
@Suite struct GapTimelineTests {
    private func connect(_ rows: TimelineRows, _ broadcast: Broadcast<Character>, readers: [String]) {
        rows.write("writer", to: broadcast)
        for name in readers { rows.output(name, broadcast, skipped: \.skipped) }
    }

    @Test func readerWithinTheLimitMissesNothing() throws {
        try specify(
            """
            writer  -abc------|
            slow    p###(abc)-|
            """
        ) { rows in connect(rows, Broadcast("p", limit: 3), readers: ["slow"]) }
    }

    @Test func readerPastTheLimitJumpsToThePresentAndSaysHowManyItMissed() throws {
        try specify(
            """
            writer  -abcd------e-|
            slow    p####(~3d)-e-|
            """
        ) { rows in connect(rows, Broadcast("p", limit: 3), readers: ["slow"]) }
    }

    @Test func withALimitOfOneReaderMissesAllButTheNewest() throws {
        try specify(
            """
            writer  -a-bcd------|
            slow    p#a###(~2d)-|
            """
        ) { rows in connect(rows, Broadcast("p", limit: 1), readers: ["slow"]) }
    }

    @Test func limitBelowOneIsOne() throws {
        try specify(
            """
            writer  -a-bcd------|
            slow    p#a###(~2d)-|
            """
        ) { rows in connect(rows, Broadcast("p", limit: 0), readers: ["slow"]) }
    }

    @Test func gapBeforeTheEndIsToldToo() throws {
        try specify(
            """
            writer  -abcd|
            slow    p#####(~3d|)
            """
        ) { rows in connect(rows, Broadcast("p", limit: 2), readers: ["slow"]) }
    }

    @Test func eachReaderHasGapsOfItsOwn() throws {
        try specify(
            """
            writer  -ab-cde------f-|
            fast    pab-cde------f-|
            slower  p######(~4e)-f-|
            """
        ) { rows in connect(rows, Broadcast("p", limit: 2), readers: ["fast", "slower"]) }
    }

    @Test func gapInABroadcastWithoutAPresent() throws {
        try specify(
            """
            writer  abcd------e-|
            slow    a###(~2d)-e-|
            """
        ) { rows in connect(rows, Broadcast(limit: 2), readers: ["slow"]) }
    }

    @Test func readerThatWaitsCanFallBehindByWhatIsSentInOneGo() throws {
        try specify(
            """
            writer   -a(bcd)----
            waiting  pa(~2d)----
            """
        ) { rows in connect(rows, Broadcast("p", limit: 2), readers: ["waiting"]) }
    }

    @Test func cancelledReaderSaysNothingOfItsGap() throws {
        try specify(
            """
            writer     -abcd-------|
            cancelled  p#####(~3d)-|
            """, cancelling: "cancelled"
        ) { rows in connect(rows, Broadcast("p", limit: 3), readers: ["cancelled"]) }
    }
}
