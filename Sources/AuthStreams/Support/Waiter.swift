/// The continuation of a task that waits for a broadcast or a ``Promise``. Each iterator has one and reuses it.
///
/// `@unchecked Sendable`, with unsafe continuations. Both are safe because:
/// - One side at a time uses a waiter. Its task uses it until it is in the list. In the list it is accessed only under
///   the list's lock. The side that removes it from the list (the value, the end or a cancellation) uses it until the
///   continuation is resumed, which is the last access.
/// - A waiter is removed from the list under the lock, and once. So the continuation is resumed once.
/// - The list does not retain its waiters. The waiting task retains each, and cannot continue before it is resumed.
final class Waiter: @unchecked Sendable {
    private var continuation: UnsafeContinuation<Bool, Never>?
    /// The round of the list in which it waits; 0 if it is in no list. See ``WaitingList``.
    fileprivate var round: UInt64 = 0
    /// Whether a reading task was cancelled. Accessed under the broadcast's lock, except for the reset before the wait.
    var isCancelled = false
    fileprivate var next: Unmanaged<Waiter>?
    fileprivate var previous: Unmanaged<Waiter>?

    /// Whether a reader waits with it. Accessed only by its own reader and by copies of it on the same actor.
    var isTaken = false

    #if AUTH_THREAD_SANITIZER
        /// A continuation that is resumed before its task suspends orders the two, but the runtime does not tell the
        /// sanitizer. This lock does.
        private let order = Lock(0)
        private func settleOrder() { order.withLock { $0 &+= 1 } }
    #else
        private func settleOrder() {}
    #endif

    /// Stores the continuation of the task, which is about to wait.
    func park(_ continuation: UnsafeContinuation<Bool, Never>) { self.continuation = continuation }

    /// Resumes the task. The caller has removed the waiter from the list, or never inserted it.
    func resume(returning answer: Bool) {
        let continuation = continuation
        self.continuation = nil
        settleOrder()
        continuation?.resume(returning: answer)
    }

    /// Called by the task after it is resumed.
    func wasResumed() { settleOrder() }
}

/// The waiting tasks in order of arrival.
///
/// All of them are removed at once, without a visit to each: one round ends and another begins. A waiter of a round
/// that ended is no longer in the list.
struct WaitingList {
    private var first: Unmanaged<Waiter>?
    private var last: Unmanaged<Waiter>?
    private var round: UInt64 = 1
    private(set) var count = 0

    mutating func append(_ waiter: Waiter) {
        let new = Unmanaged.passUnretained(waiter)
        waiter.round = round
        waiter.next = nil
        waiter.previous = last
        if let last { last._withUnsafeGuaranteedRef { $0.next = new } } else { first = new }
        last = new
        count += 1
    }

    /// - Returns: Whether the waiter was in the list.
    mutating func remove(_ waiter: Waiter) -> Bool {
        guard waiter.round == round else { return false }
        waiter.round = 0
        if let previous = waiter.previous {
            previous._withUnsafeGuaranteedRef { $0.next = waiter.next }
        } else {
            first = waiter.next
        }
        if let next = waiter.next {
            next._withUnsafeGuaranteedRef { $0.previous = waiter.previous }
        } else {
            last = waiter.previous
        }
        count -= 1
        return true
    }

    mutating func takeAll() -> Waiters {
        guard let first else { return Waiters(first: nil) }
        round += 1
        (self.first, last, count) = (nil, nil, 0)
        return Waiters(first: first)
    }
}

/// Tasks that were removed from the list together.
///
/// `@unchecked Sendable`: see ``Waiter``.
struct Waiters: @unchecked Sendable {
    fileprivate let first: Unmanaged<Waiter>?

    /// Resumes all of them. Call it once.
    func resume(returning answer: Bool) {
        var waiter = first
        while let current = waiter {
            // Once resumed, a waiter may be in the list again or deallocated.
            current._withUnsafeGuaranteedRef {
                waiter = $0.next
                $0.resume(returning: answer)
            }
        }
    }
}
