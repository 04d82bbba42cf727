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

/// The rules of a broadcast: the writing end of the chain, the bound on how far a reader may lag, and who waits.
///
/// A reader further behind than the bound jumps to the present. To free its links although it never reads
/// again, the state keeps some links as marks (weakly) and cuts the chain there once the bound has passed them.
struct BroadcastState {
    private struct Mark {
        let position: UInt64
        weak var link: BroadcastLink?
    }

    private(set) var tail: BroadcastLink
    private(set) var isFinished = false
    private(set) var parked = WaitingList()
    private let limit: UInt64
    private let stride: UInt64
    private var marks: [Mark] = []

    init(first: BroadcastLink, limit: UInt64) {
        tail = first
        self.limit = limit
        stride = max(64, limit / 16)
        markTail()
    }

    /// Appends a link.
    ///
    /// - Returns: The delivery, for after the lock is released; `nil` when the broadcast has finished.
    mutating func append(_ link: BroadcastLink) -> BroadcastDelivery? {
        guard !isFinished else { return nil }
        let previous = tail
        link.position = previous.position + 1
        tail = link
        if link.position % stride == 0 { markTail() }
        previous.next = link
        return BroadcastDelivery(waiters: parked.takeAll(), previous: previous, cut: cutBehindLimit())
    }

    private mutating func markTail() {
        guard limit != .max else { return }
        tail.isMark = true
        marks.append(Mark(position: tail.position, link: tail))
    }

    /// - Returns: The links to release: the mark too, because this may be its last reference.
    private mutating func cutBehindLimit() -> (mark: BroadcastLink, rest: BroadcastLink?)? {
        guard let oldest = marks.first, tail.position - oldest.position > limit else { return nil }
        marks.removeFirst()
        guard let mark = oldest.link else { return nil }
        return (mark, mark.detachNext())
    }

    /// Returns the link after the one that a reader read last; the newest link if the reader is past the bound.
    func next(after link: BroadcastLink) -> BroadcastLink {
        guard tail.position - link.position <= limit else { return tail }
        // A link within the bound is never cut, so its `next` is there.
        return link.next ?? tail
    }

    enum ParkAction {
        case wait
        case resume(Bool)
    }

    /// The reader that is at this position wants to wait, which ends at once if an element or the end came since it looked.
    mutating func readerWaits(_ waiter: Waiter, at position: UInt64) -> ParkAction {
        if waiter.isCancelled { return .resume(false) }
        if position != tail.position { return .resume(true) }
        if isFinished { return .resume(false) }
        parked.append(waiter)
        return .wait
    }

    /// The reader's task was cancelled, before it waits or while it does.
    ///
    /// - Returns: Whether it waited. Then the caller wakes it.
    mutating func readerCancelled(_ waiter: Waiter) -> Bool {
        waiter.isCancelled = true
        return parked.remove(waiter)
    }

    /// The broadcast ends.
    ///
    /// - Returns: The readers to wake.
    mutating func finish() -> Waiters {
        isFinished = true
        return parked.takeAll()
    }
}
