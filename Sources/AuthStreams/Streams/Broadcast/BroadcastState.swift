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
