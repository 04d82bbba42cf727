/// Where a writer waits until a number of readers have arrived, without a lock and without an allocation.
///
/// `@unchecked Sendable`: `waiter` is written by the one that waits before its own arrival, and read by the last one that
/// arrives, after its own; both go through `remaining`, which orders them.
final class Countdown: @unchecked Sendable {
    private let remaining = Counter()
    private var waiter: UnsafeContinuation<Void, Never>?

    /// Expects that many arrivals. Only while nobody waits or arrives.
    func arm(_ arrivals: Int) {
        // One more: who waits arrives too, so whoever comes last finds the continuation in its place.
        remaining.set(arrivals + 1)
    }

    /// Notes an arrival, the last of which ends the wait.
    func arrive() {
        guard remaining.decrement() == 0 else { return }
        waiter?.resume()
    }

    /// Waits for all arrivals. Once after each ``arm(_:)``.
    func wait() async {
        await withUnsafeContinuation { continuation in
            waiter = continuation
            arrive()
        }
    }
}
