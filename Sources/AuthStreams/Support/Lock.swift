#if AUTH_DARWIN
    import os

    /// Mutual exclusion around one value, using the platform's lock.
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
            // `withLockUnchecked` rethrows untyped; returning a `Result` keeps the error's type.
            let outcome: Swift.Result<Result, Failure> = storage.withLockUnchecked { value in
                do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
            }
            return try outcome.get()
        }
    }
#elseif AUTH_THREAD_SANITIZER
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Mutual exclusion around one value, for a build with the thread sanitizer: `swift test --sanitize=thread -Xswiftc
    /// -DAUTH_THREAD_SANITIZER`.
    ///
    /// The kernel hands over a contended `Mutex`, which the sanitizer cannot see, so it reports false races. It knows
    /// this lock.
    @usableFromInline
    package struct Lock<Value>: Sendable {
        // Unchecked: `value` is only accessed while `mutex` is held, and `mutex` does not move.
        private final class Storage: @unchecked Sendable {
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            // After `mutex`: a zero-sized value has the address of the next member, which the sanitizer would take for
            // the value.
            var value: Value

            init(_ value: Value) {
                self.value = value
                pthread_mutex_init(mutex, nil)
            }

            deinit {
                pthread_mutex_destroy(mutex)
                mutex.deallocate()
            }
        }
        private let storage: Storage

        package init(_ value: sending Value) {
            storage = Storage(value)
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            pthread_mutex_lock(storage.mutex)
            defer { pthread_mutex_unlock(storage.mutex) }
            return try body(&storage.value)
        }
    }

    extension Lock: CustomReflectable {
        /// A mirror without children, as the platforms' locks show none of what they guard.
        @usableFromInline
        package var customMirror: Mirror { Mirror(self, children: []) }
    }
#else
    import Synchronization

    /// Mutual exclusion around one value, using the platform's lock.
    @usableFromInline
    package struct Lock<Value>: Sendable {
        // A class, because a `Mutex` cannot be copied and the values that hold a lock are shared.
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
