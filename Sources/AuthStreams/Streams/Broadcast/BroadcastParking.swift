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
