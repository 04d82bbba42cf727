#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time for which the system has run code on a processor.
package enum ProcessorTime {
    /// The sum over all threads of this process, including those that have ended.
    package static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The processor time of the calling thread.
    package static var ofThread: Duration { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Reads the processor time that the thread on which it was made has used since then. Any thread may read it while that
    /// one lives.
    ///
    /// On Apple platforms it reads that of the process, which is not less.
    package struct Reader: Sendable {
        private let clock: clockid_t
        private let start: Int64

        package init() {
            var clock = CLOCK_PROCESS_CPUTIME_ID
            #if !canImport(Darwin)
                _ = pthread_getcpuclockid(pthread_self(), &clock)
            #endif
            (self.clock, start) = (clock, ProcessorTime.nanoseconds(clock))
        }

        package var nanoseconds: Int64 { ProcessorTime.nanoseconds(clock) - start }
    }

    private static func read(_ clock: clockid_t) -> Duration { .nanoseconds(nanoseconds(clock)) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Counts the time in which this process could have advanced.
///
/// A limit for work that hangs must not depend on how busy the machine is. This clock therefore counts less than the time
/// that passes: where a process gets a tenth of a processor, it advances a tenth as fast. A process in an endless loop
/// uses processor time, and one that waits for an event that never happens is idle: the clock advances for both.
package struct ProgressClock: Sendable {
    /// The most that ``advance(to:processorTime:)`` counts, and the least time between two changes of ``elapsed``.
    package static let tick = Duration.seconds(1)

    /// The time counted so far.
    package private(set) var elapsed = Duration.zero

    private var lastTick: SuspendingClock.Instant
    private var lastProcessorTime: Duration

    /// - Parameters:
    ///   - now: The present.
    ///   - processorTime: The processor time that the process has used until now.
    package init(at now: SuspendingClock.Instant = .now, processorTime: Duration = ProcessorTime.ofProcess) {
        (lastTick, lastProcessorTime) = (now, processorTime)
    }

    /// Counts the time since the last tick. Called about once a second, or more often: less than a tick waits for the next
    /// call.
    ///
    /// If the process has used less than a twentieth of the tick, it was idle although it got its turn, and the tick counts.
    /// Otherwise the processor time counts. Either way one tick is the most that counts: the process may have been stopped.
    package mutating func advance(
        to now: SuspendingClock.Instant = .now, processorTime: Duration = ProcessorTime.ofProcess
    ) {
        guard now - lastTick >= Self.tick else { return }
        let used = processorTime - lastProcessorTime
        elapsed += used < Self.tick / 20 ? Self.tick : min(used, Self.tick)
        (lastTick, lastProcessorTime) = (now, processorTime)
    }
}
