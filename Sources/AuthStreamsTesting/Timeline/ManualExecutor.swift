import AuthStreams
import Dispatch
import Foundation

/// An executor whose jobs wait until a test runs them, in order of arrival.
///
/// ```swift
/// let executor = ManualExecutor()
/// let task = Task(executorPreference: executor) { await load() }   // nothing runs yet
/// executor.run()                                                   // on this thread, until every task is suspended
/// ```
///
/// Tasks on the global executor or the main actor run in no guaranteed order; here the order is exact. After ``run()``
/// every task is suspended: anything that has not happened by then waits for an outside event.
///
/// A child task and a default actor follow the task's preference. A plain `Task {}` does not, nor does code that is
/// isolated to an actor with its own executor.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class ManualExecutor: TaskExecutor, SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isRunning = false
        /// Whether jobs run as soon as they arrive.
        var isStarted = false
        /// The thread from which all jobs are expected, if jobs from others are to be detected.
        var home: ObjectIdentifier?
        var hasGuests = false
    }
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "ManualExecutor")

    /// Makes an executor without jobs.
    package init() {}

    /// The number of waiting jobs.
    package var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Enqueues a job. It runs at the next ``run()``, or in the current one.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = ObjectIdentifier(Thread.current)
        let isStarted = state.withLock { state in
            state.jobs.append(job)
            if let home = state.home, home != thread { state.hasGuests = true }
            return state.isStarted
        }
        if isStarted { queue.async { self.run() } }
    }

    /// Runs the waiting jobs in order of arrival, and those that arrive meanwhile, until there are none.
    ///
    /// The jobs run on the calling thread. A call from one of them, or while another thread is running them, does nothing.
    package func run() {
        run(atMost: .max)
    }

    /// Runs the waiting jobs on a separate thread, and from now on each job as soon as it arrives.
    ///
    /// A test that waits for a task of this executor calls it, since a job may come from another thread after ``run()``. Don't call
    /// ``run()`` afterwards.
    package func start() {
        state.withLock { $0.isStarted = true }
        queue.async { self.run() }
    }

    /// Runs at most that many jobs.
    ///
    /// - Returns: Whether no job is left.
    @discardableResult
    func run(atMost limit: Int) -> Bool {
        let mayRun = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mayRun else { return true }
        defer { state.withLock { $0.isRunning = false } }
        var count = 0
        while count < limit {
            let batch = state.withLock { state in
                defer { state.jobs.removeAll() }
                return state.jobs
            }
            guard !batch.isEmpty else { return true }
            for job in batch {
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            count += batch.count
        }
        return false
    }

    /// Expects all jobs from the calling thread from now on.
    func stayOnThisThread() {
        let thread = ObjectIdentifier(Thread.current)
        state.withLock { $0.home = thread }
    }

    /// Whether a job came from another thread than expected: something runs outside this executor.
    var hasGuests: Bool { state.withLock { $0.hasGuests } }
}
