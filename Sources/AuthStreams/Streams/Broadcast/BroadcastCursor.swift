/// One reader's place in a broadcast, and how it moves on.
@usableFromInline
struct BroadcastCursor {
    private let hub: BroadcastHub
    /// What the reader read last, or, before it reads at all, where it joined.
    @usableFromInline
    private(set) var link: BroadcastLink
    private var replaysPresent: Bool
    private let conflates: Bool
    /// How many elements were missed just before the one read last.
    private(set) var skipped = 0
    private var waiter: BroadcastWaiter?

    /// Takes a place at the present, in one step with reading it.
    init(_ hub: BroadcastHub, conflates: Bool = false) {
        self.hub = hub
        (link, replaysPresent) = hub.join()
        self.conflates = conflates
    }

    /// Moves to the next element, if there is one now.
    ///
    /// - Returns: `false` when there is none, or the task is cancelled.
    @usableFromInline
    mutating func advance() -> Bool {
        // Waiting asks for the cancellation too, so it is asked for once either way.
        guard replaysPresent || hub.newest > link.position, !Task.isCancelled else { return false }
        move()
        return true
    }

    /// Moves to the next element, which is there.
    private mutating func move() {
        let lag = hub.newest - link.position
        if replaysPresent {
            replaysPresent = false
            if conflates { link = hub.present }
        } else if conflates {
            link = hub.present
        } else if lag <= hub.limit, let next = link.nextIfPermanent {
            skipped = 0
            link = next
        } else {
            let next = hub.next(after: link)
            // Positions count every element, so a jump shows.
            skipped = Int(next.position - link.position - 1)
            link = next
            if skipped > 0 { hub.readerMissed(skipped) }
        }
    }

    /// Waits for the next element and moves to it.
    ///
    /// - Returns: `false` at the end, or when the task is cancelled.
    @usableFromInline
    mutating func wait() async -> Bool {
        let waiter = freeWaiter()
        waiter.isTaken = true
        let isThere = await hub.park(waiter, after: link)
        waiter.isTaken = false
        if isThere { move() }
        return isThere
    }

    /// The waiter is made when it is first needed, and again only if a copy of this iterator waits with it right now.
    private mutating func freeWaiter() -> BroadcastWaiter {
        if let waiter, !waiter.isTaken { return waiter }
        let waiter = BroadcastWaiter()
        self.waiter = waiter
        return waiter
    }
}
