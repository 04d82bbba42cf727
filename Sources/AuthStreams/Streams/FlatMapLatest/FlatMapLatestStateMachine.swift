/// The rules of `flatMapLatest` and `switchToLatest`: facts in, orders out.
///
/// Every inner sequence has a generation. What one of an older generation says is not heard.
struct FlatMapLatestStateMachine<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    typealias Ending = AuthStreams.Ending<Output, Reader, Worker>

    private enum Phase {
        /// Nobody has asked for an element yet.
        case initial
        /// The base is read, or the latest inner sequence still runs. The base's worker is not known at once.
        case running(Worker?)
        /// No more elements are made; those that wait are still delivered.
        case over
    }

    /// The latest inner sequence.
    private enum Inner {
        /// There is none, or it has ended.
        case none
        /// It runs. Its worker is not known at once.
        case running(Worker?)
    }

    private var phase = Phase.initial
    private var isBaseRunning = true
    private var generation: UInt64 = 0
    private var inner = Inner.none
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

    /// The base is being read.
    ///
    /// - Returns: The worker, to be cancelled, when everything had ended before it could be noted.
    mutating func started(_ worker: Worker) -> Worker? {
        guard case .running = phase else { return worker }
        phase = .running(worker)
        return nil
    }

    /// The start of an inner sequence.
    struct Turn: Sendable {
        let generation: UInt64
        /// Who runs the inner sequence that is replaced, to be cancelled.
        var replaced: Worker?
        /// What was not read of it. It lives until here because letting go of an element may run anything.
        let dropped: [Output]
    }

    /// - Returns: The turn of the element's inner sequence; `nil` when nobody reads any more.
    mutating func baseDelivered() -> Turn? {
        guard case .running = phase else { return nil }
        generation += 1
        var turn = Turn(generation: generation, dropped: handover.elementsWithdrawn())
        if case .running(let worker) = inner { turn.replaced = worker }
        inner = .running(nil)
        return turn
    }

    /// The inner sequence is under way.
    ///
    /// - Returns: The worker, to be cancelled, when there is no more for it to do.
    mutating func innerStarted(_ worker: Worker, generation: UInt64) -> Worker? {
        guard isHeard(generation), case .running = inner else { return worker }
        inner = .running(worker)
        return nil
    }

    enum InnerAction {
        case resume(Reader)
        /// The element waits for a reader.
        case keep
        /// Nobody reads it any more.
        case stop
    }

    mutating func innerDelivered(_ output: Output, generation: UInt64) -> InnerAction {
        guard isHeard(generation) else { return .stop }
        return handover.elementMade(output).map(InnerAction.resume) ?? .keep
    }

    mutating func innerFinished(generation: UInt64) -> Ending {
        guard isHeard(generation) else { return Ending() }
        inner = .none
        return endingIfDone()
    }

    mutating func baseFinished() -> Ending {
        isBaseRunning = false
        return endingIfDone()
    }

    private mutating func endingIfDone() -> Ending {
        guard case .running = phase, case .none = inner, !isBaseRunning else { return Ending() }
        phase = .over
        return Ending(answers: handover.ended())
    }

    /// The base threw. What was delivered before is still read.
    mutating func baseFailed(_ error: any Error) -> Ending {
        guard case .running = phase else { return Ending() }
        return Ending(workers: workersReleased(), answers: handover.ended(by: error))
    }

    /// An inner sequence threw. What was delivered before is still read.
    mutating func innerFailed(_ error: any Error, generation: UInt64) -> Ending {
        guard isHeard(generation) else { return Ending() }
        return baseFailed(error)
    }

    /// The iterator is gone, or a reading task is cancelled.
    mutating func stopped() -> Ending {
        var ending = Ending(dropped: handover.elementsWithdrawn(), untold: handover.failureWithdrawn())
        ending.workers = workersReleased()
        ending.answers = handover.ended()
        return ending
    }

    private func isHeard(_ generation: UInt64) -> Bool {
        guard case .running = phase else { return false }
        return generation == self.generation
    }

    /// Ends everything.
    ///
    /// - Returns: Who is to be cancelled.
    private mutating func workersReleased() -> [Worker] {
        var workers: [Worker] = []
        if case .running(let worker?) = phase { workers.append(worker) }
        if case .running(let worker?) = inner { workers.append(worker) }
        phase = .over
        inner = .none
        return workers
    }
}
