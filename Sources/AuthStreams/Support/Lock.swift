#if AUTH_DARWIN
    import os

    /// Mutual exclusion around one value, on the lock each platform offers.
    ///
    /// `Mutex` needs iOS 18 and macOS 15, so Apple systems use `OSAllocatedUnfairLock`.
    @usableFromInline
    package struct Lock<Value>: Sendable {
        private let storage: OSAllocatedUnfairLock<Value>

        package init(_ value: sending Value) {
            storage = OSAllocatedUnfairLock(uncheckedState: value)
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            // `withLockUnchecked` rethrows untyped; carrying the outcome keeps the error's type.
            let outcome: Swift.Result<Result, Failure> = storage.withLockUnchecked { value in
                do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
            }
            return try outcome.get()
        }
    }
#else
    import Synchronization

    /// Mutual exclusion around one value, on the lock each platform offers.
    @usableFromInline
    package struct Lock<Value>: Sendable {
        // A class, because a `Mutex` cannot be copied and the values that hold a lock are shared anyway.
        private final class Storage: Sendable {
            let mutex: Mutex<Value>
            init(_ value: consuming sending Value) { mutex = Mutex(value) }
        }
        private let storage: Storage

        package init(_ value: consuming sending Value) {
            storage = Storage(value)
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try storage.mutex.withLock(body)
        }
    }
#endif
