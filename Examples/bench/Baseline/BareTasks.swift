/// What is left of a channel without elements: each reader's task, parked on a bare continuation.
final class BareTasks: Channel {
    private let parked = Guarded<[UnsafeContinuation<Void, Never>]>([])

    /// - Parameter readers: Room is made for them beforehand, so that the list counts for none of them.
    init(readers: Int) {
        parked.withLock { $0.reserveCapacity(readers) }
    }

    func send(_ element: Int) {}

    func read(_ body: (Int) -> Bool) async {
        guard body(0) else { return }
        await withUnsafeContinuation { continuation in parked.withLock { $0.append(continuation) } }
    }

    func makeIterator() {}

    func finish() {
        let readers = parked.withLock { parked in
            defer { parked = [] }
            return parked
        }
        for reader in readers { reader.resume() }
    }
}
