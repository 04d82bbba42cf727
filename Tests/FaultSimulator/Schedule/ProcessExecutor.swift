import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the tasks of one simulated process wait to be run, one job at a time, in the order that the schedule draws.
///
/// The jobs of a killed process are not run any more.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class ProcessExecutor: TaskExecutor, SerialExecutor, Jobs {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasGuests = false
        let home = pthread_self()
    }
    private let state = Lock(State())

    /// Makes an executor whose jobs all come from the calling thread.
    init() {}

    var waiting: Int { state.withLock { $0.jobs.count } }

    var hasGuests: Bool { state.withLock { $0.hasGuests } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            if pthread_equal(state.home, pthread_self()) == 0 { state.hasGuests = true }
            state.jobs.append(job)
        }
    }

    func run(at place: Int) {
        let job = state.withLock { $0.jobs.remove(at: place) }
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    func start(_ body: @escaping TaskSpawner.Body) -> Task<Void, Never> {
        Task(executorPreference: self) { await body() }
    }
}

/// Jobs that wait to be run.
protocol Jobs: AnyObject, Sendable {
    /// How many wait.
    var waiting: Int { get }
    /// Whether one came from another thread: something runs on its own there, beside the schedule.
    var hasGuests: Bool { get }
    /// Runs one of those that wait, up to where it suspends.
    func run(at place: Int)
    /// Starts a task here.
    func start(_ body: @escaping TaskSpawner.Body) -> Task<Void, Never>
}
