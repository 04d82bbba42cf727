import AuthStreams

/// Counts how many of its kind are alive.
final class Witness: Sendable {
    let live: Lock<Int>

    init(_ live: Lock<Int>) {
        self.live = live
        live.withLock { $0 += 1 }
    }

    deinit { live.withLock { $0 -= 1 } }
}
