#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Something that only grows: time, or a number of allocations. A measurement is the difference of two readings.
typealias Meter = @Sendable () -> Double

/// The monotonic clock of the system, read without a detour: it is read inside of what takes a few hundred nanoseconds.
enum Stopwatch {
    /// Nanoseconds since some moment in the past.
    static func nanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
