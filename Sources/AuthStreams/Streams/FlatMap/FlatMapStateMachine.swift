/// The policy for an element of the base while an inner sequence runs.
@usableFromInline
enum FlatMapPolicy: Sendable {
    /// The element is ignored.
    case first
    /// The element's inner sequence replaces the running one.
    case latest
}

/// The rules of `flatMapFirst`, `flatMapLatest` and `switchToLatest`, without tasks and locks.
///
/// Every inner sequence has a generation. Elements of an older generation are dropped.
struct FlatMapStateMachine<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    typealias Actions = TerminationActions<Output, Reader, Worker>

    private enum Phase {
        /// No element was asked for yet.
        case initial
        /// The base is read, or an inner sequence still runs. The base's worker is not known at once.
        case running(Worker?)
        /// No more elements are made; those that wait are still delivered.
        case over
    }

    /// The newest inner sequence.
    private enum Inner {
        /// There is none, or it has ended.
        case none
        /// It runs. Its worker is not known at once; one that ends with the base's is never known.
        case running(Worker?)
    }

    private let policy: FlatMapPolicy
    private var phase = Phase.initial
    private var isBaseRunning = true
    private var generation: UInt64 = 0
    private var inner = Inner.none
    private var buffer = DemandBuffer<Output, Reader>()

    init(_ policy: FlatMapPolicy) { self.policy = policy }

    enum ReadAction {
        case start
        case wait
        case deliver(DemandBuffer<Output, Reader>.Answer)
    }

    /// A reader asks. It waits in here after `start` and `wait`.
    mutating func elementWanted(by reader: Reader) -> ReadAction {
        if let answer = buffer.elementWanted(by: reader) { return .deliver(answer) }
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

    /// Whether an element of the base that came now would be ignored.
    var ignoresElements: Bool {
        guard policy == .first, case .running = phase, case .running = inner else { return false }
        return true
    }

    /// - Returns: The decision about the element, and the end of the inner sequence that it replaces, to be performed first.
    mutating func baseDelivered() -> (FlatMapDecision, replaced: Actions) {
        var replaced = Actions()
        guard case .running = phase else { return (.stop, replaced) }
        if ignoresElements { return (.ignore, replaced) }
        if policy == .latest { replaced.dropped = buffer.elementsWithdrawn() }
        if case .running(let worker?) = inner { replaced.workers = [worker] }
        generation += 1
        inner = .running(nil)
        return (.startInner(generation: generation), replaced)
    }

    /// The inner sequence is under way.
    ///
    /// - Returns: The worker, to be cancelled, when there is no more for it to do.
    mutating func innerStarted(_ worker: Worker, generation: UInt64) -> Worker? {
        guard isCurrent(generation), case .running = inner else { return worker }
        inner = .running(worker)
        return nil
    }

    enum InnerAction {
        case resume(Reader)
        /// The element waits for a reader.
        case keep
        /// The element is not wanted any more.
        case stop
    }

    mutating func innerDelivered(_ output: Output, generation: UInt64) -> InnerAction {
        guard isCurrent(generation) else { return .stop }
        return buffer.elementMade(output).map(InnerAction.resume) ?? .keep
    }

    mutating func innerFinished(generation: UInt64) -> Actions {
        guard isCurrent(generation) else { return Actions() }
        inner = .none
        return terminateIfDone()
    }

    mutating func baseFinished() -> Actions {
        isBaseRunning = false
        return terminateIfDone()
    }

    private mutating func terminateIfDone() -> Actions {
        guard case .running = phase, case .none = inner, !isBaseRunning else { return Actions() }
        phase = .over
        return Actions(answers: buffer.ended())
    }

    /// The base or an inner sequence threw. What was delivered before is still read.
    ///
    /// - Parameter generation: The inner sequence's; `nil` when the base threw.
    mutating func failed(_ error: any Error, generation: UInt64? = nil) -> Actions {
        guard isCurrent(generation ?? self.generation) else { return Actions() }
        return Actions(workers: workersReleased(), answers: buffer.ended(by: error))
    }

    /// The iterator is gone, or a reading task is cancelled.
    mutating func stopped() -> Actions {
        var actions = Actions(dropped: buffer.elementsWithdrawn(), untold: buffer.failureWithdrawn())
        actions.workers = workersReleased()
        actions.answers = buffer.ended()
        return actions
    }

    private func isCurrent(_ generation: UInt64) -> Bool {
        guard case .running = phase else { return false }
        return generation == self.generation
    }

    /// Ends everything.
    ///
    /// - Returns: The workers to cancel.
    private mutating func workersReleased() -> [Worker] {
        var workers: [Worker] = []
        if case .running(let worker?) = phase { workers.append(worker) }
        if case .running(let worker?) = inner { workers.append(worker) }
        phase = .over
        inner = .none
        return workers
    }
}

/// The decision about an element of the base.
@usableFromInline
enum FlatMapDecision: Hashable, Sendable {
    case startInner(generation: UInt64)
    case ignore
    /// Elements are not wanted any more.
    case stop
}
