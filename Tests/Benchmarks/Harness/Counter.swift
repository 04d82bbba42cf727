#if AUTH_DARWIN
    import os

    /// A number that any thread may change.
    final class Counter: Sendable {
        private let storage = OSAllocatedUnfairLock(initialState: 0)

        /// Sets the number.
        func set(_ value: Int) { storage.withLock { $0 = value } }

        /// Takes one away, and returns what is left.
        func decrement() -> Int {
            storage.withLock { value in
                value -= 1
                return value
            }
        }
    }
#else
    import Synchronization

    /// A number that any thread may change.
    final class Counter: Sendable {
        private let storage = Atomic(0)

        /// Sets the number.
        func set(_ value: Int) { storage.store(value, ordering: .releasing) }

        /// Takes one away, and returns what is left.
        func decrement() -> Int { storage.subtract(1, ordering: .acquiringAndReleasing).newValue }
    }
#endif
