/// The baseline: one `AsyncStream` per reader behind a lock, as well as it can be done.
///
/// Commit and delivery are atomic, and so are registration and replay of the current element. A reader that ends is removed.
final class AsyncStreamHub<Element: Sample>: Channel {
    typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

    private struct State {
        var current: Element
        var readers: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var nextReader: UInt64 = 0
    }

    private let policy: Policy
    private let state: Guarded<State>

    init(_ initial: Element, _ policy: Policy) {
        self.policy = policy
        state = Guarded(State(current: initial))
    }

    /// How many readers are registered.
    var readers: Int { state.withLock { $0.readers.count } }

    func send(_ element: Element) {
        state.withLock { state in
            state.current = element
            // Inside the lock, so that all readers see one order. No reader may be cancelled meanwhile: its end acquires
            // this lock while the runtime holds the task, and waking it acquires the task.
            for reader in state.readers.values { reader.yield(element) }
        }
    }

    /// A stream that begins with the current element.
    func stream() -> AsyncStream<Element> {
        let (stream, reader) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        let id = state.withLock { state in
            let id = state.nextReader
            state.nextReader += 1
            state.readers[id] = reader
            reader.yield(state.current)
            return id
        }
        reader.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    func read(_ body: (Element) -> Bool) async {
        for await element in stream() {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> AsyncStream<Element>.Iterator { stream().makeAsyncIterator() }

    func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return state.readers
        }
        // Calls back to remove the reader, so outside the lock.
        for reader in readers.values { reader.finish() }
    }

    private func remove(_ id: UInt64) {
        // Released after the lock.
        consume(state.withLock { $0.readers.removeValue(forKey: id) })
    }
}
