import AuthStreams
import Foundation

/// Limits how many tests of one process use sockets or child processes at once.
package struct ResourceLimit: Sendable {
    /// Twice as many at once as there are cores: while one test waits for a server, another uses its core.
    package static let shared = ResourceLimit(count: 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// Whether the current task is already admitted. It must not wait for itself.
    @TaskLocal private static var isAdmitted = false

    private let semaphore: AsyncSemaphore

    init(count: Int) {
        semaphore = AsyncSemaphore(count: count)
    }

    /// Runs a body after admission. Within the body of another call, it runs at once.
    ///
    /// - Throws: The body's error, or `CancellationError` if the task was cancelled while it waited.
    package func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !Self.isAdmitted else { return try await body() }
        // A contract's check that waits for other tests does not hang.
        let check = CheckActivity.current
        check?.beginWait()
        do {
            defer { check?.endWait() }
            try await semaphore.wait()
        }
        defer { semaphore.signal() }
        return try await Self.$isAdmitted.withValue(true) { try await body() }
    }
}

/// Admits a bounded number of tasks at a time, in order of arrival.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var queue: [Promise<Void>] = []
    }
    private let state: Lock<State>

    init(count: Int) {
        state = Lock(State(free: count))
    }

    /// Waits to be admitted.
    ///
    /// - Throws: `CancellationError` if the task was cancelled first. It must not signal then.
    func wait() async throws {
        let admission = Promise<Void>()
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                admission.resolve(())
            } else {
                state.queue.append(admission)
            }
        }
        guard await admission.value() == nil else { return }
        let wasQueued = state.withLock { state in
            let count = state.queue.count
            state.queue.removeAll { $0 === admission }
            return state.queue.count < count
        }
        // A task that is no longer in the queue was admitted at the moment of its cancellation.
        if !wasQueued { signal() }
        throw CancellationError()
    }

    /// Ends one admission of ``wait()``, and admits the task that has waited longest.
    func signal() {
        let next: Promise<Void>? = state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resolve(())
    }
}
