import Testing

@testable import AuthStreams

/// The rules of `flatMapLatest`, without time or tasks: elements are numbers, readers and workers are names.
@Suite struct FlatMapLatestStateMachineTests {
    private typealias Machine = FlatMapStateMachine<Int, String, String>
    private var machine = Machine(.latest)

    /// The start of an inner sequence, and what it replaces.
    private struct Turn: Equatable {
        let generation: UInt64
        let replaced: String?
        let dropped: [Int]
    }

    /// One reader waits and the base is being read.
    private mutating func run() {
        #expect(ask("reader") == "start")
        #expect(machine.started("work") == nil)
    }

    /// The base delivers and the inner sequence starts.
    private mutating func switchTo(_ worker: String) throws -> Turn {
        let turn = try taken()
        #expect(machine.innerStarted(worker, generation: turn.generation) == nil)
        return turn
    }

    @Test mutating func aNewElementReplacesTheInnerSequence() throws {
        run()
        #expect(try switchTo("a").replaced == nil)
        #expect(try switchTo("b").replaced == "a")
        #expect(try switchTo("c").replaced == "b")
    }

    @Test mutating func aSequenceThatHasEndedIsNotReplaced() throws {
        run()
        let first = try switchTo("a")
        #expect(machine.innerFinished(generation: first.generation).isNothing)
        #expect(try switchTo("b").replaced == nil)
    }

    @Test mutating func nothingOfAReplacedSequenceIsHeard() throws {
        run()
        let old = try switchTo("a")
        let new = try switchTo("b")
        #expect(deliver(1, old) == "stop")
        #expect(machine.failed(CancellationError(), generation: old.generation).isNothing)
        #expect(machine.innerFinished(generation: old.generation).isNothing)
        #expect(machine.baseFinished().isNothing, "The new one still runs.")
        #expect(deliver(2, new) == "reader")
        _ = machine.elementWanted(by: "reader")
        #expect(machine.innerFinished(generation: new.generation).told == ["reader": "end"])
    }

    @Test mutating func whatIsUnreadOfAReplacedSequenceIsDropped() throws {
        run()
        let old = try switchTo("a")
        #expect(deliver(1, old) == "reader")
        #expect(deliver(2, old) == "keep")
        #expect(deliver(3, old) == "keep")
        let new = try switchTo("b")
        #expect(new.dropped == [2, 3])
        #expect(ask("reader") == "wait")
        #expect(deliver(4, new) == "reader")
    }

    @Test mutating func whatIsUnreadOfTheLatestSequenceOutlivesTheEnd() throws {
        run()
        let only = try switchTo("a")
        #expect(deliver(1, only) == "reader")
        #expect(deliver(2, only) == "keep")
        #expect(machine.innerFinished(generation: only.generation).isNothing)
        #expect(machine.baseFinished().isNothing)
        #expect(ask("reader") == "2")
        #expect(ask("reader") == "end")
    }

    @Test(arguments: [true, false]) mutating func theEndNeedsBothEnds(baseIsFirst: Bool) throws {
        run()
        let only = try switchTo("a").generation
        let first = baseIsFirst ? machine.baseFinished() : machine.innerFinished(generation: only)
        #expect(first.isNothing)
        let actions = baseIsFirst ? machine.innerFinished(generation: only) : machine.baseFinished()
        #expect(actions.told == ["reader": "end"])
    }

    @Test(arguments: [true, false]) mutating func whatIsThrownEndsEverything(byBase: Bool) throws {
        run()
        let only = try switchTo("a")
        let error = CancellationError()
        let actions =
            byBase ? machine.failed(error) : machine.failed(error, generation: only.generation)
        #expect(actions.told == ["reader": "failure"])
        #expect(actions.workers == ["work", "a"])
        #expect(take() == nil)
        #expect(deliver(1, only) == "stop")
        #expect(machine.failed(error).isNothing)
    }

    @Test mutating func stoppingGivesEverythingBackOnce() throws {
        run()
        let only = try switchTo("a")
        #expect(deliver(1, only) == "reader")
        #expect(deliver(2, only) == "keep")
        let actions = machine.stopped()
        #expect(actions.workers == ["work", "a"])
        #expect(actions.dropped == [2])
        #expect(machine.stopped().isNothing)
        #expect(take() == nil)
        #expect(deliver(3, only) == "stop")
        #expect(machine.innerFinished(generation: only.generation).isNothing && machine.baseFinished().isNothing)
    }

    @Test mutating func stoppingEndsTheReadersThatWait() {
        run()
        _ = machine.elementWanted(by: "second")
        #expect(machine.stopped().told == ["reader": "end", "second": "end"])
    }

    @Test mutating func workThatIsNotedAfterTheEndIsCancelled() throws {
        _ = machine.elementWanted(by: "reader")
        let turn = try taken()
        #expect(machine.stopped().workers == [])
        #expect(machine.started("work") == "work")
        #expect(machine.innerStarted("a", generation: turn.generation) == "a")
    }

    @Test mutating func anInnerSequenceThatEndedBeforeItWasNotedIsNotKept() throws {
        run()
        let turn = try taken()
        _ = machine.innerFinished(generation: turn.generation)
        #expect(machine.innerStarted("a", generation: turn.generation) == "a")
        #expect(try switchTo("b").replaced == nil)
    }

    private mutating func taken() throws -> Turn {
        let turn = take()
        return try #require(turn)
    }

    private mutating func take() -> Turn? {
        let (decision, replaced) = machine.baseDelivered()
        guard case .startInner(let generation) = decision else { return nil }
        return Turn(generation: generation, replaced: replaced.workers.first, dropped: replaced.dropped)
    }

    private mutating func ask(_ reader: String) -> String {
        switch machine.elementWanted(by: reader) {
        case .start: "start"
        case .wait: "wait"
        case .deliver(let answer): answer.text
        }
    }

    private mutating func deliver(_ number: Int, _ turn: Turn) -> String {
        switch machine.innerDelivered(number, generation: turn.generation) {
        case .resume(let reader): reader
        case .keep: "keep"
        case .stop: "stop"
        }
    }
}
