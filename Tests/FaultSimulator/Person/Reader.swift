import AuthStreams

/// A reader of a service's states, and what it has seen.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Reader: @unchecked Sendable {
    var states: [AuthState] = []
    var isOver = false
    /// Whether it left before the end.
    var hasLeft = false
}

extension AppProcess {
    /// Begins to read the states, so many at most.
    func readStates(atMost limit: Int = .max) {
        guard let states = service?.states else { return }
        let reader = Reader()
        conduct.readers.append(reader)
        // It joins now, so that it sees all that is decided before its task runs.
        let place = Lock(Optional(states.makeAsyncIterator()))
        start {
            guard var iterator = place.withLock({ $0.take() }) else { return }
            while let state = await iterator.next() {
                reader.states.append(state)
                if reader.states.count == limit {
                    reader.hasLeft = true
                    break
                }
            }
            reader.isOver = true
        }
    }
}
