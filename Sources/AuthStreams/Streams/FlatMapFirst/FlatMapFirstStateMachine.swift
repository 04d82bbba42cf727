/// The rules of `flatMapFirst`: facts in, orders out.
struct FlatMapFirstStateMachine<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    typealias Ending = AuthStreams.Ending<Output, Reader, Worker>

    private enum Phase {
        /// Nobody has asked for an element yet.
        case initial
        /// The base is read, or an inner sequence still runs. The worker is not known at once.
        case running(Worker?)
        /// No more elements are made; those that wait are still delivered.
        case over
    }

    private var phase = Phase.initial
    private var isInnerRunning = false
    private var isBaseRunning = true
    private var handover = Handover<Output, Reader>()

    enum ReadAction {
        case start
        case wait
        case deliver(Handover<Output, Reader>.Answer)
    }

    /// A reader asks. It waits in here after `start` and `wait`.
    mutating func elementWanted(by reader: Reader) -> ReadAction {
        if let answer = handover.elementWanted(by: reader) { return .deliver(answer) }
        guard case .initial = phase else { return .wait }
        phase = .running(nil)
        return .start
    }

    /// The work is under way.
    ///
    /// - Returns: The worker, to be cancelled, when everything had ended before it could be noted.
    mutating func started(_ worker: Worker) -> Worker? {
        guard case .running = phase else { return worker }
        phase = .running(worker)
        return nil
    }

    /// Whether an element that came now would be ignored.
    var ignoresElements: Bool {
        guard case .running = phase else { return false }
        return isInnerRunning
    }

    mutating func baseDelivered() -> FlatMapFirstDecision {
        guard case .running = phase else { return .stop }
        guard !isInnerRunning else { return .ignore }
        isInnerRunning = true
        return .startInner
    }

    enum InnerAction {
        case resume(Reader)
        /// The element waits for a reader.
        case keep
        /// Nobody reads any more.
        case stop
    }

    mutating func innerDelivered(_ output: Output) -> InnerAction {
        guard case .running = phase else { return .stop }
        return handover.elementMade(output).map(InnerAction.resume) ?? .keep
    }

    mutating func innerFinished() -> Ending {
        isInnerRunning = false
        return endingIfDone()
    }

    mutating func baseFinished() -> Ending {
        isBaseRunning = false
        return endingIfDone()
    }

    private mutating func endingIfDone() -> Ending {
        guard case .running = phase, !isBaseRunning, !isInnerRunning else { return Ending() }
        phase = .over
        return Ending(answers: handover.ended())
    }

    /// The base or an inner sequence threw. What was delivered before is still read.
    mutating func failed(_ error: any Error) -> Ending {
        guard case .running(let worker) = phase else { return Ending() }
        phase = .over
        return Ending(workers: worker.map { [$0] } ?? [], answers: handover.ended(by: error))
    }

    /// The iterator is gone, or a reading task is cancelled.
    mutating func stopped() -> Ending {
        var ending = Ending(dropped: handover.elementsWithdrawn(), untold: handover.failureWithdrawn())
        if case .running(let worker?) = phase { ending.workers = [worker] }
        phase = .over
        ending.answers = handover.ended()
        return ending
    }
}

/// What is to be done with an element of the base.
@usableFromInline
enum FlatMapFirstDecision: Sendable {
    case startInner
    case ignore
    /// Nobody reads any more.
    case stop
}
