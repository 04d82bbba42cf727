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

/// Does something when it is let go of. Nothing may hold a lock then that this needs.
final class Farewell: Error {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) {
        self.say = say
    }

    deinit { say() }
}
