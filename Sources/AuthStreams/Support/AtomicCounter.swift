#if AUTH_DARWIN
    /// A number that one side sets and others read without that side's lock.
    ///
    /// A reader of a value sees everything that was written before it was set. Atomics need iOS 18 and macOS 15, so
    /// Apple systems use a separate lock.
    struct AtomicCounter: ~Copyable, Sendable {
        private let number = Lock<UInt64>(0)

        func load() -> UInt64 { number.withLock { $0 } }

        func store(_ value: UInt64) { number.withLock { $0 = value } }
    }
#else
    import Synchronization

    /// A number that one side sets and others read without that side's lock.
    ///
    /// A reader of a value sees everything that was written before it was set.
    struct AtomicCounter: ~Copyable, Sendable {
        private let number = Atomic<UInt64>(0)

        func load() -> UInt64 { number.load(ordering: .acquiring) }

        func store(_ value: UInt64) { number.store(value, ordering: .releasing) }
    }
#endif
