#if AUTH_DARWIN
    import os

    /// A value behind the platform's own lock.
    ///
    /// The baselines use it, and not the package's `Lock`: the compiler sees all of it, so that nothing can slow them down
    /// that is not theirs.
    final class Guarded<Value>: Sendable {
        private let storage: OSAllocatedUnfairLock<Value>

        init(_ value: sending Value) { storage = OSAllocatedUnfairLock(uncheckedState: value) }

        /// Runs the body with the lock held.
        func withLock<Result>(_ body: (inout Value) -> Result) -> Result { storage.withLockUnchecked(body) }
    }
#else
    import Synchronization

    /// A value behind the platform's own lock.
    ///
    /// The baselines use it, and not the package's `Lock`: the compiler sees all of it, so that nothing can slow them down
    /// that is not theirs.
    final class Guarded<Value>: Sendable {
        private let storage: Mutex<Value>

        init(_ value: consuming sending Value) { storage = Mutex(value) }

        /// Runs the body with the lock held.
        func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
            storage.withLock(body)
        }
    }
#endif
