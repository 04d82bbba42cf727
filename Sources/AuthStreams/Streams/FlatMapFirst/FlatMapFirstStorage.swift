/// One run of `flatMapFirst`: the rules under a lock, and the one task that reads the base.
final class FlatMapFirstStorage<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>: Sendable
where Base.Element: Sendable, Inner.Element: Sendable {
    private let base: Base
    private let transform: @Sendable (Base.Element) -> Inner
    private let machine = Lock(FlatMapFirstStateMachine<Inner.Element>())

    init(base: Base, transform: @escaping @Sendable (Base.Element) -> Inner) {
        self.base = base
        self.transform = transform
    }

    func next() async -> Inner.Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                switch machine.withLock({ $0.elementWanted(by: reader, isCancelled: Task.isCancelled) }) {
                case .startTask: start()
                case .wait: break
                case .deliver(let element): reader.resume(returning: element)
                }
            }
        } onCancel: {
            stop()
        }
    }

    /// Cancels the task and ends the reader. Idempotent.
    func stop() {
        let (task, reader) = machine.withLock { $0.stopped() }
        task?.cancel()
        reader?.resume(returning: nil)
    }

    // The task belongs to the iterator, which stops it when it goes; the task in turn holds only this storage.
    private func start() {
        let task = StreamTask.start { await self.run() }
        machine.withLock { $0.taskStarted(task) }?.cancel()
    }

    private func run() async {
        await withDiscardingTaskGroup { group in
            var elements = base.makeAsyncIterator()
            while let element = try? await elements.next() {
                guard machine.withLock({ $0.baseDelivered() }) else { continue }
                group.addTask { await self.deliver(self.transform(element)) }
            }
            machine.withLock { $0.baseFinished() }?.resume(returning: nil)
        }
    }

    private func deliver(_ inner: Inner) async {
        var outputs = inner.makeAsyncIterator()
        while let output = try? await outputs.next() {
            machine.withLock { $0.innerDelivered(output) }?.resume(returning: output)
        }
        machine.withLock { $0.innerFinished() }?.resume(returning: nil)
    }
}
