#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Time that includes the device's sleep, as `ContinuousClock` measures it.
enum MonotonicClock {
    /// Returns a closure that measures the time since this call.
    static func sinceNow() -> @Sendable () -> Duration {
        #if canImport(Glibc) || canImport(Musl)
            // Without `ContinuousClock`, which takes half as long again. The time is read for each access token.
            let start = nanoseconds()
            return { .nanoseconds(nanoseconds() - start) }
        #else
            let clock = ContinuousClock()
            let start = clock.now
            return { start.duration(to: clock.now) }
        #endif
    }

    #if canImport(Glibc) || canImport(Musl)
        /// The nanoseconds since the system started.
        private static func nanoseconds() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    #endif
}
