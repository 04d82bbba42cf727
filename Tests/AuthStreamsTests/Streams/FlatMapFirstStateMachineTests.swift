import Testing

@testable import AuthStreams

/// The rules of `flatMapFirst`, without time or tasks: elements are numbers, readers and workers are names.
@Suite struct FlatMapFirstStateMachineTests {
    private typealias Machine = FlatMapStateMachine<Int, String, String>
    private var machine = Machine(.first)
    private var generation: UInt64 = 0

    /// What happens with an element of the base.
    private enum Step { case startInner, ignore, stop }

    /// One reader waits and the base is being read.
    private mutating func run() {
        #expect(ask("reader") == "start")
        #expect(machine.started("work") == nil)
    }

    @Test mutating func onlyTheFirstReaderStartsTheWork() {
        run()
        #expect(ask("second") == "wait")
        #expect(deliver(1) == "reader")
        #expect(deliver(2) == "second")
    }

    @Test mutating func elementsAreIgnoredWhileAnInnerSequenceRuns() {
        run()
        #expect(!machine.ignoresElements)
        #expect(take() == .startInner)
        #expect(machine.ignoresElements)
        #expect(take() == .ignore)
        #expect(machine.innerFinished(generation: generation).isNothing)
        #expect(!machine.ignoresElements)
        #expect(take() == .startInner)
    }

    @Test(arguments: [true, false]) mutating func theEndNeedsBothEnds(baseIsFirst: Bool) {
        run()
        _ = take()
        let first = baseIsFirst ? machine.baseFinished() : machine.innerFinished(generation: generation)
        #expect(first.isNothing)
        let actions = baseIsFirst ? machine.innerFinished(generation: generation) : machine.baseFinished()
        #expect(actions.told == ["reader": "end"])
        #expect(actions.workers == [])
    }

    @Test mutating func whatIsThrownEndsEverything() {
        run()
        _ = take()
        let actions = machine.failed(CancellationError())
        #expect(actions.told == ["reader": "failure"])
        #expect(actions.workers == ["work"])
        #expect(machine.failed(CancellationError()).isNothing)
        #expect(!machine.ignoresElements)
        #expect(take() == .stop)
        #expect(deliver(1) == "stop")
    }

    @Test mutating func stoppingGivesEverythingBackOnce() {
        run()
        _ = take()
        #expect(deliver(1) == "reader")
        #expect(deliver(2) == "keep")
        let actions = machine.stopped()
        #expect(actions.workers == ["work"])
        #expect(actions.dropped == [2])
        #expect(actions.told == [:])
        #expect(machine.stopped().isNothing)
        #expect(take() == .stop)
        #expect(deliver(3) == "stop")
        #expect(machine.innerFinished(generation: generation).isNothing && machine.baseFinished().isNothing)
    }

    @Test mutating func stoppingEndsTheReadersThatWait() {
        run()
        _ = machine.elementWanted(by: "second")
        #expect(machine.stopped().told == ["reader": "end", "second": "end"])
    }

    @Test mutating func whatWasStoppedBeforeItStartedNeverStarts() {
        #expect(machine.stopped().isNothing)
        #expect(ask("reader") == "end")
    }

    @Test mutating func workThatIsNotedAfterTheEndIsCancelled() {
        _ = machine.elementWanted(by: "reader")
        #expect(machine.stopped().workers == [])
        #expect(machine.started("work") == "work")
    }

    private mutating func take() -> Step {
        let (decision, replaced) = machine.baseDelivered()
        #expect(replaced.isNothing)
        switch decision {
        case .startInner(let generation):
            self.generation = generation
            return .startInner
        case .ignore: return .ignore
        case .stop: return .stop
        }
    }

    private mutating func ask(_ reader: String) -> String {
        switch machine.elementWanted(by: reader) {
        case .start: "start"
        case .wait: "wait"
        case .deliver(let answer): answer.text
        }
    }

    private mutating func deliver(_ number: Int) -> String {
        switch machine.innerDelivered(number, generation: generation) {
        case .resume(let reader): reader
        case .keep: "keep"
        case .stop: "stop"
        }
    }
}

extension TerminationActions where Output == Int, Reader == String {
    /// Whether nothing remains to be done.
    var isNothing: Bool { workers.isEmpty && answers.isEmpty && dropped.isEmpty }

    /// Who is told what.
    var told: [String: String] {
        Dictionary(uniqueKeysWithValues: answers.map { ($0.reader, $0.answer.text) })
    }
}

extension Result where Success == Int?, Failure == any Error {
    /// What a reader is told, in a word.
    var text: String {
        switch self {
        case .success(let element): element.map { "\($0)" } ?? "end"
        case .failure: "failure"
        }
    }
}
