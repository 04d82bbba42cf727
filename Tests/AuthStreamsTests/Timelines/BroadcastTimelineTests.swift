import AuthStreams
import AuthStreamsTesting
import Testing

/// A broadcast that replays the present: `p` to begin with.
@Suite struct BroadcastTimelineTests {
    @Test func readerBeginsWithThePresentWheneverItJoins() throws {
        try specify(
            """
            writer  ---a--b-(cd)-|
            early   p--a--b-(cd)-|
            late        a-b-(cd)-|
            latest           d---|
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            for name in ["early", "late", "latest"] { rows.output(name, broadcast) }
        }
    }

    @Test func readerThatJoinsInTheInstantOfAnElementGetsThePresentBeforeIt() throws {
        try specify(
            """
            writer  a---b----
            first   (pa)b----
            second      (ab)-
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("first", broadcast)
            rows.output("second", broadcast)
        }
    }

    @Test func placeIsTakenWhenTheIteratorIsMadeNotWhenItIsFirstAsked() throws {
        try specify(
            """
            writer   -a-bc--------d-|
            present  -----(pabc)--d-|
            events   -----(abc)---d-|
            newest   -----c-------d-|
            """
        ) { rows in
            let (replaying, events) = (Broadcast<Character>("p"), Broadcast<Character>())
            let both = [replaying, events]
            rows.write(
                "writer", send: { element in for one in both { one.send(element) } },
                finish: { for one in both { one.finish() } })
            rows.output("present", Hesitant(replaying, on: rows.clock))
            rows.output("events", Hesitant(events, on: rows.clock))
            rows.output("newest", Hesitant(replaying.latest, on: rows.clock))
        }
    }

    @Test func slowReaderGetsEverythingInItsOwnTime() throws {
        try specify(
            """
            writer   -ab-cd------|
            slow     p###a#b#c#d-|
            slower   p#####(abcd)|
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("slow", broadcast)
            rows.output("slower", broadcast)
        }
    }

    @Test func unreadElementsAreReadAfterTheEnd() throws {
        try specify(
            """
            writer  -a-b|
            slow    p####a#(b|)
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("slow", broadcast)
        }
    }

    @Test func readerThatJoinsAfterTheEndGetsThePresentAndTheEnd() throws {
        try specify(
            """
            writer  -a-|
            late        (a|)
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("late", broadcast)
        }
    }

    @Test func nothingIsSentAfterTheEnd() throws {
        try specify(
            """
            one     -a-|
            two     -----b-|
            reader  pa-|
            late          (a|)
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("one", to: broadcast)
            rows.write("two", to: broadcast)
            rows.output("reader", broadcast)
            rows.output("late", broadcast)
        }
    }

    @Test func releasedBroadcastEndsItsReaders() throws {
        try specify(
            """
            writer   -a--b|
            waiting  pa--b|
            busy     p#####(ab|)
            """
        ) { rows in
            let owner = Owner()
            rows.write("writer", send: { owner.broadcast?.send($0) }, finish: { owner.release() })
            for name in ["waiting", "busy"] { rows.output(name, owner) }
        }
    }

    @Test func everyReaderSeesTheElementsOfSeveralWritersInOneOrder() throws {
        try specify(
            """
            one     -a----c----(ef)----|
            two     -b------d--g--------
            reader  p(ab)-c-d--(efg)---|
            late           c#d#e#f#g---|
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("one", to: broadcast)
            rows.write("two", to: broadcast)
            rows.output("reader", broadcast)
            rows.output("late", broadcast)
        }
    }

    @Test func readersAreWokenInTheOrderInWhichTheyBeganToWait() throws {
        try specify(
            """
            writer  -a----b----
            1       pa##--b----
            2       pa----b----
            3       pa----b----
            order   -(123)(231)
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            let order = rows.log("order")
            rows.write("writer", to: broadcast)
            for name in ["1", "2", "3"] {
                let noted = broadcast.map { element in
                    if element != "p" { order(Character(name)) }
                    return element
                }
                rows.output(name, noted)
            }
        }
    }

    @Test func readerThatLeavesItsLoopLeavesTheOthersAlone() throws {
        try specify(
            """
            writer    -a--b--c-|
            leaving   pa--(b<)
            at-once   (p<)
            thinking  pa##<
            staying   pa--b--c-|
            """
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            for name in ["leaving", "at-once", "thinking", "staying"] { rows.output(name, broadcast) }
        }
    }

    @Test func cancelledReaderEndsAtOnceAndAloneAtWhicheverInstant() throws {
        try specify(
            """
            writer     -a-(bc)--d-|
            cancelled  pa-(bc)--d-|
            staying    pa-(bc)--d-|
            """, cancelling: "cancelled"
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("cancelled", broadcast)
            rows.output("staying", broadcast)
        }
    }

    @Test func cancelledReaderDoesNotReadWhatWasUnread() throws {
        try specify(
            """
            writer     -ab---------|
            cancelled  p###a##b#---|
            """, cancelling: "cancelled"
        ) { rows in
            let broadcast = Broadcast<Character>("p")
            rows.write("writer", to: broadcast)
            rows.output("cancelled", broadcast)
        }
    }
}

/// Holds the only reference to a broadcast. Its iterators are the broadcast's own.
private final class Owner: AsyncSequence, Sendable {
    private let owned = Lock<Broadcast<Character>?>(Broadcast("p"))

    var broadcast: Broadcast<Character>? { owned.withLock { $0 } }

    func release() {
        let released = owned.withLock { owned in
            defer { owned = nil }
            return owned
        }
        _ = released
    }

    func makeAsyncIterator() -> Broadcast<Character>.Iterator { (broadcast ?? Broadcast()).makeAsyncIterator() }
}
