import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// When, where and in what order things happen.
@Suite struct TimelineOrderTests {
    @Test func clockMovesBeforeTheRowsAct() throws {
        try Timeline(
            """
            taps  --a-----
            log   --(ca)--
            """
        ).run { rows in
            let log = rows.log("log")
            rows.write("taps", send: log)
            rows.task {
                try? await rows.clock.sleep(for: .seconds(2))
                log("c")
            }
        }
    }

    @Test func rowsActFromTopToBottomAndEverybodyRunsInBetween() throws {
        try Timeline(
            """
            one    -a------
            two    -b------
            order  -(1a2b)-
            """
        ).run { rows in
            let order = rows.log("order")
            for (name, number) in [("one", Character("1")), ("two", "2")] {
                rows.write(
                    name,
                    send: { element in
                        order(number)
                        rows.task {
                            await Task.yield()
                            order(element)
                        }
                    })
            }
        }
    }

    @Test func readersJoinFromTopToBottomBeforeTheRowsAct() throws {
        try Timeline(
            """
            writer  --a-------
            1         a-------
            2         a-------
            order   --(12a12)-
            """
        ).run { rows in
            let order = rows.log("order")
            let broadcast = Broadcast<Character>()
            rows.write(
                "writer",
                send: { element in
                    order(element)
                    broadcast.send(element)
                })
            for name in ["1", "2"] {
                rows.output(name, Joining(broadcast) { order(Character(name)) })
            }
        }
    }

    @Test func instantIsAsLongAsItIsSaidToBe() throws {
        try Timeline("log  --c--d-").run(instant: .milliseconds(250)) { rows in
            let log = rows.log("log")
            rows.task {
                try? await rows.clock.sleep(for: .milliseconds(500))
                log("c")
                try? await rows.clock.sleep(for: .milliseconds(600))
                log("d")
            }
        }
    }

    @Test func everythingRunsOnTheCallingThread() throws {
        let home = ObjectIdentifier(Thread.current)
        let isElsewhere = Lock(false)
        @Sendable func look() {
            if ObjectIdentifier(Thread.current) != home { isElsewhere.withLock { $0 = true } }
        }
        try Timeline(
            """
            taps     -a---|
            a         -1-|
            results  --1--|
            """
        ).run { rows in
            let stream = rows.input("taps").flatMapFirst { name in
                look()
                return rows.input("\(name)").map { element in
                    look()
                    async let there: Void = look()
                    await there
                    return element
                }
            }
            rows.output("results", stream)
        }
        #expect(!isElsewhere.withLock { $0 })
    }

    @Test func readersAreAskedInTheWayThatIsSaid() throws {
        try Timeline("out  (i|)").run(reading: .isolatedNext) { $0.output("out", TwoWays()) }
        try Timeline("out  (p|)").run(reading: .plainNext) { $0.output("out", TwoWays()) }
    }

    @Test func theTaskThatPlaysATimelineGoesOnAsItWas() async throws {
        let task = Task {
            try Timeline("out  (a|)").run { $0.output("out", AuthStream.success("a").map(\.self), as: .results()) }
            withUnsafeCurrentTask { $0?.cancel() }
            // Readers have tasks of their own, which are not cancelled.
            try Timeline("out  (a|)").run { $0.output("out", AuthStream.success("a").map(\.self), as: .results()) }
            return Task.isCancelled
        }
        #expect(try await task.value)
    }

    @Test func whatComesFromAnotherThreadIsFound() {
        let stray = Lock<CheckedContinuation<Void, Never>?>(nil)
        let error = #expect(throws: TimelineError.self) {
            try Timeline(
                """
                go   -a---
                out  -b---
                """
            ).run { rows in
                let log = rows.log("out")
                rows.task {
                    await withCheckedContinuation { continuation in stray.withLock { $0 = continuation } }
                    log("b")
                }
                rows.write(
                    "go",
                    send: { _ in
                        let isDone = DispatchSemaphore(value: 0)
                        Thread.detachNewThread {
                            stray.withLock { $0 }?.resume()
                            isDone.signal()
                        }
                        isDone.wait()
                    })
            }
        }
        #expect(error?.description.hasPrefix("Something of this timeline ran on another thread") ?? false)
    }

    @Test func instantThatNeverEndsIsFound() {
        let error = #expect(throws: TimelineError.self) {
            try Timeline("log  -----").run { rows in
                _ = rows.log("log")
                rows.task {
                    try? await rows.clock.sleep(for: .seconds(2))
                    // A busy loop is what is to be found.
                    while !Task.isCancelled { await Task.yield() }
                }
            }
        }
        #expect(error?.description.hasPrefix("Instant 2 does not end") ?? false)
    }

    @Test func whatTheSetUpThrowsComesOut() {
        #expect(throws: CancellationError.self) {
            try Timeline("log  -----").run { _ in throw CancellationError() }
        }
    }

    @Test func nothingIsLeftBehind() throws {
        let left = Lock(0)
        let broadcast = Broadcast<Character>()
        try Timeline(
            """
            in    -a---
            busy  -a###
            out   -----
            """
        ).run { rows in
            rows.output("out", broadcast)
            rows.output("busy", rows.input("in"))
            rows.task {
                defer { left.withLock { $0 += 1 } }
                try? await rows.clock.sleep(for: .seconds(60))
            }
        }
        #expect(broadcast.waitingReaders == 0)
        #expect(left.withLock { $0 } == 1)
    }
}

/// Tells when it is joined.
private struct Joining: AsyncSequence, Sendable {
    let base: Broadcast<Character>
    let join: @Sendable () -> Void

    init(_ base: Broadcast<Character>, join: @escaping @Sendable () -> Void) {
        self.base = base
        self.join = join
    }

    func makeAsyncIterator() -> AsyncMapSequence<Broadcast<Character>, Character>.AsyncIterator {
        join()
        let join = join
        return base.map { element in
            join()
            return element
        }.makeAsyncIterator()
    }
}

/// Says by which function it was asked.
private struct TwoWays: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private var isOver = false

    func makeAsyncIterator() -> Self { self }

    private mutating func answer(_ character: Character) -> Character? {
        defer { isOver = true }
        return isOver ? nil : character
    }

    mutating func next() async -> Character? { answer("p") }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Character? { answer("i") }
}
