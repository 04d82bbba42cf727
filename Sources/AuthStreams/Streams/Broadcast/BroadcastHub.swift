/// The shared state of a broadcast: the rules under a lock, and the position that readers look at without it.
///
/// Commit with delivery is atomic, and so is registration with replay: an element is linked to the chain under one lock,
/// and a reader takes its place in the chain under the same lock. Only the wake-ups come after it.
@usableFromInline
final class BroadcastHub: Sendable {
    /// How far a reader may lag before it jumps to the present.
    let limit: UInt64
    private let state: Lock<BroadcastState>
    /// Whether a new reader reads the present too.
    let replaysPresent: Bool
    private let onGap: (@Sendable (Int) -> Void)?
    /// The position of the newest link, once that can be reached. Readers look here without the lock.
    private let published = AtomicCounter()

    init(first: sending BroadcastLink, replaysPresent: Bool, limit: Int?, onGap: (@Sendable (Int) -> Void)? = nil) {
        self.limit = limit.map { UInt64(max(1, $0)) } ?? .max
        self.replaysPresent = replaysPresent
        self.onGap = onGap
        state = Lock(BroadcastState(first: first, limit: self.limit))
    }

    /// Commits a link. Every reader sees it, in this place of the order; the caller wakes them afterwards.
    ///
    /// - Returns: `nil` after ``finish()``.
    @usableFromInline
    func link(_ link: BroadcastLink) -> BroadcastDelivery? {
        state.withLock { state in
            let delivery = state.append(link)
            published.store(state.tail.position)
            return delivery
        }
    }

    /// Ends the broadcast.
    func finish() { state.withLock { $0.finish() }.resume(returning: false) }

    /// The position of the newest link.
    var newest: UInt64 { published.load() }

    /// The newest link: where a new reader begins.
    var present: BroadcastLink { state.withLock { $0.tail } }

    /// The newest link with an element, if there is one.
    @usableFromInline
    var newestLink: BroadcastLink? {
        let present = present
        return replaysPresent || present.position > 0 ? present : nil
    }

    /// How many readers wait right now.
    var waitingReaders: Int { state.withLock { $0.parked.count } }

    /// Returns the link after the one that a reader read last.
    func next(after link: BroadcastLink) -> BroadcastLink { state.withLock { $0.next(after: link) } }

    /// A reader was past the bound, and missed that many elements.
    func readerMissed(_ count: Int) { onGap?(count) }

    /// Waits until something comes after the position.
    ///
    /// - Returns: `false` when nothing will: the broadcast ended or the reading task was cancelled.
    func park(_ waiter: Waiter, at position: UInt64) async -> Bool {
        waiter.isCancelled = false
        defer { waiter.wasResumed() }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiter.park(continuation)
                // Looking once more and parking is one step, so nothing slips in between: no element, and no cancellation,
                // whose handler has noted it or finds the reader parked. In a cancelled task it has run already.
                switch state.withLock({ $0.readerWaits(waiter, at: position) }) {
                case .wait: break
                case .resume(let answer): waiter.resume(returning: answer)
                }
            }
        } onCancel: {
            if state.withLock({ $0.readerCancelled(waiter) }) { waiter.resume(returning: false) }
        }
    }
}

/// The delivery of an element, to be performed once all locks are released.
@usableFromInline
struct BroadcastDelivery {
    let waiters: Waiters
    /// The link that was the newest. It is kept until here because freeing an element may run any code.
    let previous: BroadcastLink
    /// The links that were cut off, for the same reason, and the mark before them.
    let cut: (mark: BroadcastLink, rest: BroadcastLink?)?

    /// Wakes the readers that waited. A writer never waits for them.
    @usableFromInline
    func wakeReaders() { waiters.resume(returning: true) }
}
