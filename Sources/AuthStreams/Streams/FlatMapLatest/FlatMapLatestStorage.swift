/// One run of `flatMapLatest`: the rules under a lock, the task that reads the base, and that of the inner sequence.
///
/// The second is not a child of the first: a task group cannot cancel one child alone, and it waits for all of them, also
/// for one that ignores its cancellation.
final class FlatMapLatestStorage<Output: Sendable>: OperatorRun {
    private typealias Machine = FlatMapLatestStateMachine<Output, OperatorReader<Output>, Task<Void, Never>>

    private let machine = Lock(Machine())
    private let work: @Sendable (FlatMapLatestStorage) async -> Void

    init<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>(
        base: Base, transform: @escaping @Sendable (Base.Element) -> Inner
    ) where Base.Element: Sendable, Inner.Element == Output {
        let base = JoinedSequence(base)
        work = { run in
            guard let elements = base.take() else { return run.machine.withLock { $0.baseFinished() }.perform() }
            do {
                for try await element in elements {
                    guard run.baseDelivered({ transform(element) }) else { return }
                }
                run.machine.withLock { $0.baseFinished() }.perform()
            } catch {
                run.machine.withLock { $0.baseFailed(error) }.perform()
            }
        }
    }

    func next() async -> Result<Output?, any Error> {
        // A task that is cancelled already is stopped before it asks.
        await withTaskCancellationHandler {
            await withUnsafeContinuation { reader in
                switch machine.withLock({ $0.elementWanted(by: reader) }) {
                case .start: start()
                case .wait: break
                case .deliver(let answer): reader.resume(returning: answer)
                }
            }
        } onCancel: {
            stop()
        }
    }

    func stop() { machine.withLock { $0.stopped() }.perform() }

    // Both tasks belong to the iterator, which stops them when it goes; they in turn hold only this storage.
    private func start() {
        let task = OwnTask.start { await self.work(self) }
        machine.withLock { $0.started(task) }?.cancel()
    }

    /// - Parameter inner: Is made when the one before it has been cancelled.
    /// - Returns: Whether somebody still reads.
    private func baseDelivered<Inner: AsyncSequence & Sendable>(_ inner: () -> Inner) -> Bool
    where Inner.Element == Output {
        guard let turn = machine.withLock({ $0.baseDelivered() }) else { return false }
        turn.replaced?.cancel()
        let latest = JoinedSequence(inner())
        let task = OwnTask.start { await self.deliver(latest, generation: turn.generation) }
        machine.withLock { $0.innerStarted(task, generation: turn.generation) }?.cancel()
        return true
    }

    private func deliver<Inner: AsyncSequence & Sendable>(
        _ inner: JoinedSequence<Inner>, generation: UInt64
    ) async where Inner.Element == Output {
        guard let elements = inner.take() else {
            return machine.withLock { $0.innerFinished(generation: generation) }.perform()
        }
        do {
            for try await output in elements {
                switch machine.withLock({ $0.innerDelivered(output, generation: generation) }) {
                case .resume(let reader): reader.resume(returning: .success(output))
                case .keep: continue
                case .stop: return
                }
            }
            machine.withLock { $0.innerFinished(generation: generation) }.perform()
        } catch {
            machine.withLock { $0.innerFailed(error, generation: generation) }.perform()
        }
    }
}
