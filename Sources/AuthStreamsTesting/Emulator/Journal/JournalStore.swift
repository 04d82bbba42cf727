import AuthStreams

/// The journal's entries and the tasks that wait for one, under one lock.
final class JournalStore: Sendable {
    private struct Waiter {
        let fits: @Sendable (EmulatorJournal.Entry) -> Bool
        let arrival: Promise<EmulatorJournal.Entry>
    }
    private struct State {
        var entries: [EmulatorJournal.Entry] = []
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
    }
    private let state = Lock(State())

    var entries: [EmulatorJournal.Entry] { state.withLock { $0.entries } }

    /// Records a request and resumes the tasks that wait for it.
    ///
    /// - Returns: Its number.
    func begin(_ request: EmulatorRequest) -> Int {
        let entry = state.withLock { state in
            let entry = EmulatorJournal.Entry(
                number: state.entries.count + 1, method: request.method, host: request.host, path: request.path,
                caller: request.caller, status: nil)
            state.entries.append(entry)
            return entry
        }
        // The tests' closures run outside the lock, so they may read the journal.
        let waiters = state.withLock { $0.waiters.map(\.value) }
        for waiter in waiters where waiter.fits(entry) { waiter.arrival.resolve(entry) }
        return entry.number
    }

    func finish(_ number: Int, status: Int) {
        state.withLock { $0.entries[number - 1].status = status }
    }

    func first(matching fits: @escaping @Sendable (EmulatorJournal.Entry) -> Bool) async -> EmulatorJournal.Entry? {
        let arrival = Promise<EmulatorJournal.Entry>()
        let (id, present) = state.withLock { state in
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = Waiter(fits: fits, arrival: arrival)
            return (state.nextWaiter, state.entries)
        }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
        if let earlier = present.first(where: fits) { return earlier }
        return await arrival.value()
    }
}
