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

/// Runs a closure when it is released. No lock that the closure needs may be held then.
final class Farewell: Error {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) {
        self.say = say
    }

    deinit { say() }
}
