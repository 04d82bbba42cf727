import AuthStreams

/// Lets a bounded number of emulators run at a time, in the order in which they were asked for.
final class EmulatorTurns: Sendable {
    /// Those of this process.
    static let shared = EmulatorTurns(count: 8)

    /// Whether the current task runs in an emulator's scope already. It must not wait for a turn that it holds itself.
    @TaskLocal static var isInside = false

    private struct State {
        var free: Int
        var queue: [OneShot<Void>] = []
    }
    private let state: Lock<State>

    init(count: Int) {
        state = Lock(State(free: count))
    }

    /// Waits for a turn.
    ///
    /// - Throws: `CancellationError` when the task was cancelled first; then there is nothing to give back.
    func take() async throws {
        let turn = OneShot<Void>()
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                turn.resolve(())
            } else {
                state.queue.append(turn)
            }
        }
        guard await turn.value() == nil else { return }
        let isQueued = state.withLock { state in
            let count = state.queue.count
            state.queue.removeAll { $0 === turn }
            return state.queue.count < count
        }
        // Whoever is no longer queued was given the turn just as it gave up.
        if !isQueued { giveBack() }
        throw CancellationError()
    }

    /// Passes a turn on to whoever has waited longest.
    func giveBack() {
        let next: OneShot<Void>? = state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resolve(())
    }
}
