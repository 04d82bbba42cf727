import AuthStreams
import AuthStreamsTesting
import Dispatch
package import Testing

/// Waits for a fact that no event tells of.
///
/// The condition is evaluated at once, after each of a few yields, and then at growing intervals of up to 50 ms, so that a
/// long wait uses next to no processor time. A fact that may pass unnoticed in such an interval needs an event.
///
/// - Parameters:
///   - fact: What is waited for, such as `the sheet to be cancelled`. The report of a hang names it.
///   - limit: The time of a ``ProgressClock`` after which the wait gives up.
///   - condition: Whether the fact has come about. It runs in the caller's isolation.
/// - Throws: ``HangError`` after the limit, which is also an issue of the test; `CancellationError` if the task is cancelled
///   first; or the condition's error.
package func wait(
    for fact: String, limit: Duration = .seconds(Watchdog.limit), sourceLocation: SourceLocation = #_sourceLocation,
    until condition: () async throws -> Bool
) async throws {
    guard try await !condition() else { return }
    let wait = PendingWait(
        fact: fact, test: Test.current.map { String(describing: $0.id) },
        place: "\(sourceLocation.fileID):\(sourceLocation.line)")
    let registration = wait.register()
    defer { PendingWait.remove(registration) }
    for _ in 0..<100 {
        try Task.checkCancellation()
        await Task.yield()
        guard try await !condition() else { return }
    }
    var clock = ProgressClock()
    var interval = 1000
    while clock.elapsed < limit {
        try await pause(microseconds: interval)
        guard try await !condition() else { return }
        interval = min(interval + interval / 8, 50_000)
        clock.advance()
    }
    let error = HangError(wait: wait, limit: limit)
    Issue.record(error, sourceLocation: sourceLocation)
    throw error
}

/// Waits until the current task is cancelled.
package func waitForCancellation(sourceLocation: SourceLocation = #_sourceLocation) async {
    try? await wait(for: "its task to be cancelled", sourceLocation: sourceLocation) { false }
}

private let timers = DispatchQueue(label: "waits")

private func pause(microseconds: Int) async throws {
    let end = Promise<Void>()
    timers.asyncAfter(deadline: .now() + .microseconds(microseconds)) { end.resolve(()) }
    if await end.value() == nil { throw CancellationError() }
}

/// Ends a test that waited for a fact in vain.
package struct HangError: Error, CustomStringConvertible {
    let wait: PendingWait
    let limit: Duration

    package var description: String {
        "\(wait.waiter) waited for \(wait.fact), in vain for \(limit.components.seconds) s"
    }
}

/// A wait that has not ended.
package struct PendingWait: Sendable {
    /// What is waited for, such as `the sheet to be cancelled`.
    package let fact: String
    /// The identifier of the test that waits. Tasks outside the tests, and detached tasks, have none.
    package let test: String?
    /// The file and line that wait.
    package let place: String

    private static let pending = Lock((waits: [Int: PendingWait](), count: 0))

    /// Those of this process, in the order in which they began.
    package static var all: [PendingWait] {
        pending.withLock { $0.waits }.sorted { $0.key < $1.key }.map(\.value)
    }

    package init(fact: String, test: String?, place: String) {
        (self.fact, self.test, self.place) = (fact, test, place)
    }

    /// The test that waits.
    var waiter: String { test ?? "A task of no test" }

    fileprivate func register() -> Int {
        Self.pending.withLock { pending in
            pending.count += 1
            pending.waits[pending.count] = self
            return pending.count
        }
    }

    fileprivate static func remove(_ registration: Int) {
        pending.withLock { $0.waits[registration] = nil }
    }
}
