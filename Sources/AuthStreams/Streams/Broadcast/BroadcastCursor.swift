/// One reader's place in a broadcast.
@usableFromInline
struct BroadcastCursor {
    private let hub: BroadcastHub
    /// The link that the reader read last; before its first element, the link where it joined.
    @usableFromInline
    private(set) var link: BroadcastLink
    private var replaysPresent: Bool
    /// How many elements were missed just before the one read last.
    private(set) var skipped = 0
    private var parking = BroadcastParking()

    /// Joins at the present, in one step with reading it.
    init(_ hub: BroadcastHub) {
        self.hub = hub
        link = hub.present
        replaysPresent = hub.replaysPresent
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

    /// Waits for the next element and moves to it.
    ///
    /// - Returns: `false` at the end, or when the task is cancelled.
    @usableFromInline
    mutating func wait() async -> Bool {
        guard await parking.wait(in: hub, at: link.position) else { return false }
        move()
        return true
    }

    /// Moves to the next element, which is there.
    private mutating func move() {
        if replaysPresent {
            replaysPresent = false
        } else if hub.newest - link.position <= hub.limit, let next = link.nextIfPermanent {
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
}

/// The position of a reader of the newest element.
///
/// It has a position and holds no link, so no element is kept for it.
@usableFromInline
struct LatestCursor {
    private let hub: BroadcastHub
    private var position: UInt64
    private var replaysPresent: Bool
    private var parking = BroadcastParking()

    /// Joins at the present.
    init(_ hub: BroadcastHub) {
        self.hub = hub
        position = hub.newest
        replaysPresent = hub.replaysPresent
    }

    /// The newest element, if the reader has not had it and its task is not cancelled.
    @usableFromInline
    mutating func advance() -> BroadcastLink? {
        guard replaysPresent || hub.newest > position, !Task.isCancelled else { return nil }
        return newest()
    }

    /// Waits for an element.
    ///
    /// - Returns: The newest one; `nil` at the end, or when the task is cancelled.
    @usableFromInline
    mutating func wait() async -> BroadcastLink? {
        await parking.wait(in: hub, at: position) ? newest() : nil
    }

    private mutating func newest() -> BroadcastLink {
        let present = hub.present
        position = present.position
        replaysPresent = false
        return present
    }
}

/// Where one reader waits, again and again.
struct BroadcastParking {
    private var waiter: Waiter?

    /// Waits until something comes after the position.
    ///
    /// - Returns: `false` when nothing will: the broadcast ended or the reading task was cancelled.
    mutating func wait(in hub: BroadcastHub, at position: UInt64) async -> Bool {
        let waiter = freeWaiter()
        waiter.isTaken = true
        defer { waiter.isTaken = false }
        return await hub.park(waiter, at: position)
    }

    /// The waiter is made when it is first needed, and again only if a copy of this iterator waits with it right now.
    private mutating func freeWaiter() -> Waiter {
        if let waiter, !waiter.isTaken { return waiter }
        let waiter = Waiter()
        self.waiter = waiter
        return waiter
    }
}
