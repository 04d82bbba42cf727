/// One run of `flatMapFirst` or `flatMapLatest`: the rules under a lock, and the task that reads the base.
///
/// The inner sequences of `flatMapFirst` run in children of that task. That of `flatMapLatest` has a task of its own: a task
/// group cannot cancel one child alone.
///
/// Not generic, because generic code looks its types up again for each element. The caller's part is inlined and knows
/// them; in between, each element is in an ``ElementBox``.
@usableFromInline
final class FlatMapRun: Sendable {
    @usableFromInline typealias Element = any AnyObject & Sendable
    private typealias Machine = FlatMapStateMachine<Element, OperatorReader<Element>, Task<Void, Never>>

    /// Is 1 while the machine ignores the base's elements: the most frequent answer is given without the lock.
    private let isBusy = AtomicCounter()
    private let machine: Lock<Machine>
    private let work: @Sendable (FlatMapRun) async -> Void

    @usableFromInline
    init(_ policy: FlatMapPolicy, work: @escaping @Sendable (FlatMapRun) async -> Void) {
        machine = Lock(Machine(policy))
        self.work = work
    }

    /// A run that reads the base, and beside it the inner sequences that the policy starts.
    @inlinable
    static func reading<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>(
        _ base: Base, _ policy: FlatMapPolicy, through transform: @escaping @Sendable (Base.Element) -> Inner
    ) -> FlatMapRun where Base.Element: Sendable, Inner.Element: Sendable {
        let base = PreparedSequence(base)
        return FlatMapRun(policy) { run in await run.read(base, policy, through: transform) }
    }

    @inlinable
    func read<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>(
        _ base: PreparedSequence<Base>, _ policy: FlatMapPolicy,
        through transform: @escaping @Sendable (Base.Element) -> Inner
    ) async where Base.Element: Sendable, Inner.Element: Sendable {
        guard let elements = base.take() else { return baseFinished() }
        let hasOneElement = Inner.self is any OneElementSequence.Type
        await withDiscardingTaskGroup { group in
            do {
                for try await element in elements {
                    switch baseDelivered() {
                    case .startInner(let generation):
                        let inner = PreparedSequence(transform(element))
                        let work = { @Sendable in
                            await self.deliver(inner, generation, hasOneElement: hasOneElement)
                        }
                        switch policy {
                        case .first: group.addTask(operation: work)
                        case .latest: startInner(generation, work)
                        }
                    case .ignore: continue
                    case .stop: return
                    }
                }
                baseFinished()
            } catch {
                failed(error)
            }
        }
    }

    @inlinable
    func deliver<Inner: AsyncSequence & Sendable>(
        _ inner: PreparedSequence<Inner>, _ generation: UInt64, hasOneElement: Bool
    ) async where Inner.Element: Sendable {
        guard let elements = inner.take() else { return innerFinished(generation) }
        do {
            for try await output in elements {
                guard innerDelivered(ElementBox(output), generation, isOnly: hasOneElement) else { return }
            }
            innerFinished(generation)
        } catch {
            failed(error, generation)
        }
    }

    /// The next element; `nil` at the end, or when the task is cancelled.
    @usableFromInline
    func next() async -> Result<Element?, any Error> {
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

    /// Cancels the work and ends the readers. Idempotent.
    func stop() { withMachine { $0.stopped() }.perform() }

    // The tasks belong to the iterator, which stops them when it goes; they in turn hold only this run.
    private func start() {
        let task = TaskSpawner.start { await self.work(self) }
        withMachine { $0.started(task) }?.cancel()
    }

    @usableFromInline
    func startInner(_ generation: UInt64, _ work: @escaping @Sendable () async -> Void) {
        let task = TaskSpawner.start(work)
        withMachine { $0.innerStarted(task, generation: generation) }?.cancel()
    }

    @usableFromInline
    func baseDelivered() -> FlatMapDecision {
        if isBusy.load() == 1 { return .ignore }
        let (decision, replaced) = withMachine { $0.baseDelivered() }
        replaced.perform()
        return decision
    }

    /// - Parameter isOnly: Whether the inner sequence ends with the element.
    /// - Returns: Whether more elements of the inner sequence are read.
    @usableFromInline
    func innerDelivered(_ output: Element, _ generation: UInt64, isOnly: Bool) -> Bool {
        let (action, termination) = withMachine { machine in
            let action = machine.innerDelivered(output, generation: generation)
            return (action, isOnly ? machine.innerFinished(generation: generation) : nil)
        }
        if case .resume(let reader) = action { reader.resume(returning: .success(output)) }
        termination?.perform()
        if case .stop = action { return false }
        return !isOnly
    }

    @usableFromInline
    func innerFinished(_ generation: UInt64) { withMachine { $0.innerFinished(generation: generation) }.perform() }

    @usableFromInline
    func baseFinished() { withMachine { $0.baseFinished() }.perform() }

    /// - Parameter generation: Of the inner sequence that threw; `nil` when the base did.
    @usableFromInline
    func failed(_ error: any Error, _ generation: UInt64? = nil) {
        withMachine { $0.failed(error, generation: generation) }.perform()
    }

    /// Changes the machine, and publishes ``isBusy`` under the same lock.
    private func withMachine<Action: Sendable>(_ change: (inout Machine) -> Action) -> Action {
        machine.withLock { machine in
            defer { isBusy.store(machine.ignoresElements ? 1 : 0) }
            return change(&machine)
        }
    }
}

/// An element without its type, on its way to a reader who knows it.
@usableFromInline
final class ElementBox<Element: Sendable>: Sendable {
    @usableFromInline let element: Element

    @inlinable init(_ element: Element) { self.element = element }
}

/// One run of `flatMapFirst`, `flatMapLatest` or `switchToLatest` over its base.
///
/// Copies share it: each element goes to one of them, in the order in which they asked.
public struct FlatMapIterator<Base: AsyncSequence, Inner: AsyncSequence>: AsyncIteratorProtocol
where Inner.Element: Sendable {
    @usableFromInline let owner: FlatMapRunOwner

    @inlinable
    init(run: FlatMapRun) {
        owner = FlatMapRunOwner(run)
    }

    /// The next element of an inner sequence; `nil` at the end, or when the task is cancelled.
    ///
    /// - Throws: What the base or an inner sequence that is read threw, if they can.
    @inlinable public mutating func next() async rethrows -> Inner.Element? {
        element(in: try await owner.run.next().rethrown())
    }

    /// The same on the given actor, which `for await` calls on newer systems.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @inlinable public mutating func next(isolation actor: isolated (any Actor)?) async rethrows -> Inner.Element? {
        element(in: try await owner.run.next().rethrown())
    }

    @inlinable
    func element(in box: FlatMapRun.Element?) -> Inner.Element? {
        box.map { unsafeDowncast($0, to: ElementBox<Inner.Element>.self).element }
    }
}

/// The owner of the run that all copies of an iterator share: the run ends when the last copy is released.
@usableFromInline
final class FlatMapRunOwner: Sendable {
    @usableFromInline let run: FlatMapRun

    @usableFromInline
    init(_ run: FlatMapRun) { self.run = run }

    deinit { run.stop() }
}

/// A sequence that always delivers exactly one element.
///
/// It has ended with its element, so delivery and end are one step: a reader that has seen the result of an attempt can tap
/// again.
@usableFromInline
protocol OneElementSequence {}

extension AuthStream: OneElementSequence {}
extension ResultMapSequence: OneElementSequence where Base: OneElementSequence {}
extension ResultFlatMapSequence: OneElementSequence where Base: OneElementSequence {}
