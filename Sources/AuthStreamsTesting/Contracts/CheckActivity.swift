import AuthStreams
import Dispatch

/// What the tasks of one check do.
final class CheckActivity: Sendable {
    struct Reading: Hashable {
        /// The jobs that wait for a thread, and the waits for admission by a ``ResourceLimit``.
        var waiting = 0
        /// The jobs that run.
        var running = 0
        /// Counts the jobs that began, those that ended, and the steps that the check reported.
        var steps = 0
        /// The processor time of the jobs.
        var processorTime = Duration.zero
    }

    private struct State {
        var reading = Reading()
        /// The processor time of the jobs that ended, in nanoseconds: a `Duration` takes longer to add.
        var ended: Int64 = 0
        /// The processor time of each job that runs. Its thread lives until the job is removed.
        var running: [Int: ProcessorTime.Reader] = [:]
    }

    private let state = Lock(State())

    /// The activity of the check to which the current task belongs.
    @TaskLocal static var current: CheckActivity?

    var reading: Reading {
        state.withLock { state in
            var reading = state.reading
            reading.running = state.running.count
            reading.processorTime = .nanoseconds(state.running.values.reduce(state.ended) { $0 + $1.nanoseconds })
            return reading
        }
    }

    /// Records that the check reported a step.
    func step() { state.withLock { $0.reading.steps += 1 } }

    /// Records that a job or a task of the check begins to wait for its turn.
    func beginWait() { state.withLock { $0.reading.waiting += 1 } }

    /// Records that the turn has come.
    func endWait() {
        state.withLock { state in
            state.reading.waiting -= 1
            state.reading.steps += 1
        }
    }

    /// Runs a job that has waited for its turn.
    fileprivate func run(_ job: () -> Void) {
        let time = ProcessorTime.Reader()
        let id = state.withLock { state in
            state.reading.waiting -= 1
            state.reading.steps += 1
            state.running[state.reading.steps] = time
            return state.reading.steps
        }
        job()
        state.withLock { state in
            state.reading.steps += 1
            // Read under the lock, or a reading in between could be above the sum.
            state.ended += time.nanoseconds
            state.running[id] = nil
        }
    }

    /// Starts the check's task, whose jobs are observed where the system allows it.
    func start(_ check: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Self.$current.withValue(self) {
            if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
                Task(executorPreference: CheckExecutor(self)) { await check() }
            } else {
                Task { await check() }
            }
        }
    }
}

/// Runs the jobs of one check on the threads of the global queue, and records them.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private final class CheckExecutor: TaskExecutor {
    private let activity: CheckActivity

    init(_ activity: CheckActivity) {
        self.activity = activity
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        activity.beginWait()
        DispatchQueue.global().async { [self] in
            activity.run { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
