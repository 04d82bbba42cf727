#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Time that goes on while the device sleeps, as `ContinuousClock` measures it.
enum MonotonicClock {
    /// Makes a clock that shows the time since now.
    static func sinceNow() -> @Sendable () -> Duration {
        #if canImport(Glibc) || canImport(Musl)
            // Asked without `ContinuousClock`, which adds half as much again. It is read for each access token.
            let start = nanoseconds()
            return { .nanoseconds(nanoseconds() - start) }
        #else
            let clock = ContinuousClock()
            let start = clock.now
            return { start.duration(to: clock.now) }
        #endif
    }

    #if canImport(Glibc) || canImport(Musl)
        /// Since the start of the system.
        private static func nanoseconds() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    #endif
}
