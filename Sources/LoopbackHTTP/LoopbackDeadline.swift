import Dispatch

/// A deadline that can be moved cheaply.
///
/// Every request moves its connection's deadline, nearly always to a later moment. So the system's timer is left as it
/// is, and set again only when it fires too early or would fire too late.
///
/// Invariant behind `@unchecked Sendable`: every method is called on the queue given to `init`, where the timer's
/// handler runs too.
final class LoopbackDeadline: @unchecked Sendable {
    private let timer: any DispatchSourceTimer
    private var due: DispatchTime?
    private var armed: DispatchTime?

    /// - Parameter expired: Called on the queue, once for each deadline that passes. Released by ``cancel()``.
    init(queue: DispatchQueue, expired: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            if self?.hasPassed() == true { expired() }
        }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Moves the deadline; `nil` removes it.
    func set(after duration: Duration?) {
        due = duration.map { .now() + $0.dispatchInterval }
        guard let due, armed.map({ due < $0 }) ?? true else { return }
        arm(due)
    }

    func cancel() {
        due = nil
        timer.cancel()
    }

    private func arm(_ moment: DispatchTime) {
        armed = moment
        timer.schedule(deadline: moment)
    }

    /// Called when the timer fires: whether the deadline is still where the timer was set to.
    private func hasPassed() -> Bool {
        armed = nil
        guard let due else { return false }
        guard due <= .now() else {
            arm(due)
            return false
        }
        self.due = nil
        return true
    }
}

extension Duration {
    /// The duration for Dispatch, in whole nanoseconds, limited to Dispatch's longest.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        // Longer than a century: adding it to the current time must not overflow either.
        guard seconds < 3_600_000_000 else { return .never }
        return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
