/// What is left of a channel without elements: each reader's task, parked on a bare continuation.
final class BareTasks: Channel {
    private struct State {
        var parked: [UnsafeContinuation<Void, Never>] = []
        var isFinished = false
    }

    private let state = Guarded(State())

    /// - Parameter readers: Room is made for them beforehand, so that the list counts for none of them.
    init(readers: Int) {
        state.withLock { $0.parked.reserveCapacity(readers) }
    }

    func send(_ element: Int) {}

    func read(_ body: (Int) -> Bool) async {
        guard body(0) else { return }
        await withUnsafeContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.parked.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    func makeIterator() {}

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.parked = [] }
            return state.parked
        }
        for reader in readers { reader.resume() }
    }
}
