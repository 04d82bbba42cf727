/// One run of `flatMapFirst`: the rules under a lock, and the one task that does the work.
@usableFromInline
final class FlatMapFirstStorage<Output: Sendable>: OperatorRun {
    private typealias Machine = FlatMapFirstStateMachine<Output, OperatorReader<Output>, Task<Void, Never>>

    /// Is 1 while the machine would ignore an element: that answer is given most often, so it is given without the lock.
    private let isBusy = PublishedNumber()
    private let machine = Lock(Machine())
    private let work: @Sendable (FlatMapFirstStorage) async -> Void

    /// - Parameter work: Reads the base and says here what comes of it.
    @usableFromInline
    init(work: @escaping @Sendable (FlatMapFirstStorage) async -> Void) {
        self.work = work
    }

    func next() async -> Result<Output?, any Error> {
        // A task that is cancelled already is stopped before it asks.
        await withTaskCancellationHandler {
            await withUnsafeContinuation { reader in
                switch withMachine({ $0.elementWanted(by: reader) }) {
                case .start: start()
                case .wait: break
                case .deliver(let answer): reader.resume(returning: answer)
                }
            }
        } onCancel: {
            stop()
        }
    }

    func stop() { withMachine { $0.stopped() }.perform() }

    // The task belongs to the iterator, which stops it when it goes; the task in turn holds only this storage.
    private func start() {
        let task = OwnTask.start { await self.work(self) }
        withMachine { $0.started(task) }?.cancel()
    }

    @usableFromInline
    func baseDelivered() -> FlatMapFirstDecision {
        if isBusy.load() == 1 { return .ignore }
        return withMachine { $0.baseDelivered() }
    }

    /// - Returns: Whether somebody still reads.
    @usableFromInline
    func innerDelivered(_ output: Output) -> Bool {
        switch withMachine({ $0.innerDelivered(output) }) {
        case .resume(let reader): reader.resume(returning: .success(output))
        case .keep: break
        case .stop: return false
        }
        return true
    }

    /// The inner sequence delivered its only element, which is at once its end.
    @usableFromInline
    func innerDeliveredAndFinished(_ output: Output) {
        let (action, ending) = withMachine { ($0.innerDelivered(output), $0.innerFinished()) }
        if case .resume(let reader) = action { reader.resume(returning: .success(output)) }
        ending.perform()
    }

    @usableFromInline
    func innerFinished() { withMachine { $0.innerFinished() }.perform() }

    @usableFromInline
    func baseFinished() { withMachine { $0.baseFinished() }.perform() }

    @usableFromInline
    func failed(_ error: any Error) { withMachine { $0.failed(error) }.perform() }

    /// Every change of the machine, and under the same lock what is published of it.
    private func withMachine<Action: Sendable>(_ change: (inout Machine) -> Action) -> Action {
        machine.withLock { machine in
            defer { isBusy.store(machine.ignoresElements ? 1 : 0) }
            return change(&machine)
        }
    }
}
