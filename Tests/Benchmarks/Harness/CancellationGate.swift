/// Work that has begun and does nothing until its task is cancelled.
///
/// Whoever waits for the beginning knows that the work waits for the cancellation by then.
final class CancellationGate: Sendable {
    private enum State {
        case open
        case waiting(UnsafeContinuation<Void, Never>)
        case cancelled
    }

    private let state = Guarded(State.open)
    private let start = Countdown()

    init() { start.arm(1) }

    /// Waits until ``waitForCancellation()`` waits.
    func waitForStart() async { await start.wait() }

    /// Waits until the calling task is cancelled.
    func waitForCancellation() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .cancelled = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { continuation.resume() }
                start.arrive()
            }
        } onCancel: {
            let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                defer { state = .cancelled }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume()
        }
    }
}
