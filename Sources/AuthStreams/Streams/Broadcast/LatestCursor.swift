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
