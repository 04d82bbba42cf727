/// Where a task is kept while it waits for a broadcast or a ``Promise``. Each iterator has one, and uses it again and again.
///
/// `@unchecked Sendable`, and unsafe continuations. What makes both right:
/// - A waiter is in the hands of one side at a time. Its task has it until it is in the list of those who wait. In the
///   list it is touched under the lock of that list alone. Whoever takes it out of the list (what was waited for, the end, a
///   cancellation) has it until the continuation is resumed, and that is the last thing done with it.
/// - Taking out of the list happens under the lock and once. So the continuation is resumed once.
/// - The list does not hold its waiters. Each is held by the task that waits, which cannot go on before it is resumed.
final class Waiter: @unchecked Sendable {
    private var continuation: UnsafeContinuation<Bool, Never>?
    /// Which time of the list it waits in; 0 for none. See ``WaitingList``.
    fileprivate var round: UInt64 = 0
    /// Whether a reading task was cancelled. Touched under the broadcast's lock, but for the reset before the wait.
    var isCancelled = false
    fileprivate var next: Unmanaged<Waiter>?
    fileprivate var previous: Unmanaged<Waiter>?

    /// Whether a reader waits with it. Touched by its own reader alone, and by copies of that on the same actor.
    var isTaken = false

    #if AUTH_THREAD_SANITIZER
        /// A continuation that is resumed before its task has gone to sleep orders the two, but the runtime does not tell
        /// the sanitizer so. This does.
        private let order = Lock(0)
        private func settleOrder() { order.withLock { $0 &+= 1 } }
    #else
        private func settleOrder() {}
    #endif

    /// The task is about to wait.
    func park(_ continuation: UnsafeContinuation<Bool, Never>) { self.continuation = continuation }

    /// Lets the task go on. The caller has taken the waiter out of the list, or never put it in.
    func resume(returning answer: Bool) {
        let continuation = continuation
        self.continuation = nil
        settleOrder()
        continuation?.resume(returning: answer)
    }

    /// The task has it back.
    func wasResumed() { settleOrder() }
}

/// The tasks that wait, in the order in which they came.
///
/// All of them are taken out at once, and without looking at each: a round ends and another begins. Who belongs to a
/// round that ended is not in the list any more.
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

/// Tasks that were taken out of the list together.
///
/// `@unchecked Sendable`: see ``Waiter``.
struct Waiters: @unchecked Sendable {
    fileprivate let first: Unmanaged<Waiter>?

    /// Lets all of them go on. To be called once.
    func resume(returning answer: Bool) {
        var waiter = first
        while let current = waiter {
            // Once resumed it may be in the list again, or gone.
            current._withUnsafeGuaranteedRef {
                waiter = $0.next
                $0.resume(returning: answer)
            }
        }
    }
}
