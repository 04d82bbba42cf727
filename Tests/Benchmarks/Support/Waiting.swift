/// Lets a writer wait until a number of readers have arrived, without a lock and without an allocation.
///
/// `@unchecked Sendable`: the task that waits writes `waiter` before its own arrival, and the last arrival reads it; both go
/// through `remaining`, which orders them.
final class Countdown: @unchecked Sendable {
    private let remaining = Counter()
    private var waiter: UnsafeContinuation<Void, Never>?

    /// - Parameter arrivals: How many arrivals end the first wait.
    init(_ arrivals: Int) { arm(arrivals) }

    /// Expects that many arrivals. Call it only while no task waits or arrives.
    func arm(_ arrivals: Int) {
        // One more: the task that waits arrives too, so the last arrival finds the continuation.
        remaining.set(arrivals + 1)
    }

    func arrive() {
        guard remaining.decrement() == 0 else { return }
        waiter?.resume()
    }

    /// Waits for all arrivals. Call it once after each ``arm(_:)``.
    func wait() async {
        await withUnsafeContinuation { continuation in
            waiter = continuation
            arrive()
        }
    }
}

/// Work that begins and then does nothing until its task is cancelled.
final class CancellationGate: Sendable {
    private let continuation = Guarded<UnsafeContinuation<Void, Never>?>(nil)
    private let start = Countdown(1)

    /// Waits until ``waitForCancellation()`` waits. Only then may its task be cancelled.
    func waitForStart() async { await start.wait() }

    func waitForCancellation() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.continuation.withLock { $0 = continuation }
                start.arrive()
            }
        } onCancel: {
            continuation.withLock { $0 }?.resume()
        }
    }
}

/// Gives readers that have received an element the time to wait again, so that all are measured in the same condition.
func settle(_ turns: Int = 100) async {
    for _ in 0..<turns { await Task.yield() }
}
