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
