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
