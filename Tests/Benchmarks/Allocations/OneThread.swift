#if os(Linux)
    /// Runs tasks on the calling thread, first come, first served, and allocates nothing for it.
    ///
    /// The global executor allocates what it queues jobs with, more or less of it as threads happen to meet. Here every
    /// allocation belongs to what is counted, and the count is the same each time.
    final class OneThread: TaskExecutor {
        private let jobs = Guarded<[UnownedJob]>([])

        /// - Parameter capacity: How many jobs may wait before the queue has to grow.
        init(capacity: Int) {
            jobs.withLock { $0.reserveCapacity(capacity) }
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        /// Runs the body, and all that it starts, and returns when it is done. The thread does nothing else meanwhile.
        func run(_ body: @escaping @Sendable () async -> Double) -> Double {
            let result = Guarded<Double?>(nil)
            Task(executorPreference: self) {
                let value = await body()
                result.withLock { $0 = value }
            }
            var turn: [UnownedJob] = []
            jobs.withLock { turn.reserveCapacity($0.capacity) }
            while true {
                if let value = result.withLock({ $0 }) { return value }
                jobs.withLock { swap(&$0, &turn) }
                for job in turn { job.runSynchronously(on: asUnownedTaskExecutor()) }
                turn.removeAll(keepingCapacity: true)
            }
        }
    }
#endif

/// Runs the body as ``OneThread`` does, where there is one.
func onOneThread(_ body: @escaping @Sendable () async -> Double) -> Double {
    #if os(Linux)
        OneThread(capacity: 2000).run(body)
    #else
        .nan
    #endif
}
