/// Lets one asynchronous section run at a time, in the order of arrival.
///
/// An actor would not do: it lets another call in at every `await`. Waiting cannot be cancelled, because what is done
/// inside, such as clearing a store, must not be skipped.
final class SerialGate: Sendable {
    private struct State {
        var isTaken = false
        var queue: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State())

    /// How many wait for their turn now.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Runs the section once everyone before it is through.
    func run<Value, Failure: Error>(_ section: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        await enter()
        defer { leave() }
        return try await section()
    }

    private func enter() async {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.queue.append(turn) }
                return !state.isTaken
            }
            if isFree { turn.resume() }
        }
    }

    private func leave() {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.queue.removeFirst()
        }?.resume()
    }
}
