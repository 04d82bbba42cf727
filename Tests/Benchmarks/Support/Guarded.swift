#if AUTH_DARWIN
    import os
#else
    import Synchronization
#endif

/// A value behind the platform's own lock.
///
/// The baselines use it instead of the package's `Lock`: the compiler sees all of it, so only their own work slows them.
final class Guarded<Value>: Sendable {
    #if AUTH_DARWIN
        private let storage: OSAllocatedUnfairLock<Value>

        init(_ value: sending Value) { storage = OSAllocatedUnfairLock(uncheckedState: value) }

        func withLock<Result>(_ body: (inout Value) -> Result) -> Result { storage.withLockUnchecked(body) }
    #else
        private let storage: Mutex<Value>

        init(_ value: consuming sending Value) { storage = Mutex(value) }

        func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
            storage.withLock(body)
        }
    #endif
}

/// A number that any thread may change.
final class Counter: Sendable {
    #if AUTH_DARWIN
        // Atomics need iOS 18 and macOS 15.
        private let value = Guarded(0)

        func set(_ number: Int) { value.withLock { $0 = number } }

        /// Subtracts one and returns the rest.
        func decrement() -> Int {
            value.withLock { value in
                value -= 1
                return value
            }
        }
    #else
        private let value = Atomic(0)

        func set(_ number: Int) { value.store(number, ordering: .releasing) }

        /// Subtracts one and returns the rest.
        func decrement() -> Int { value.subtract(1, ordering: .acquiringAndReleasing).newValue }
    #endif
}
