import AuthStreams

/// One schedule as it is played: what is next is drawn from the jobs that are ready and from what is due.
struct Simulation {
    let world: World
    private let schedule: Schedule
    private let makeJobs: () -> any Jobs

    private init(_ schedule: Schedule, _ timeline: Timeline, _ makeJobs: @escaping () -> any Jobs) {
        self.schedule = schedule
        self.makeJobs = makeJobs
        world = World(schedule, timeline: timeline)
    }

    /// Plays a schedule on the calling thread.
    ///
    /// - Parameter count: Receives what met prompts.
    /// - Returns: The promise that was broken first; `nil` when all were kept.
    /// - Throws: ``Unsupported`` on systems without task executors.
    static func play(
        _ schedule: Schedule, timeline: Timeline = Timeline(isKept: false),
        counting count: (Encounters) -> Void = { _ in }
    ) throws(Unsupported) -> Finding? {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { throw Unsupported() }
        let simulation = Simulation(schedule, timeline) { ProcessExecutor() }
        simulation.run()
        count(simulation.world.encounters)
        return simulation.world.finding
    }

    private func run() {
        for role in 0..<schedule.plan.processes { launch(role) }
        for step in schedule.steps { world.after(step.time) { perform(step) } }
        go(until: (schedule.steps.last?.time ?? 0) + 1)
        bringToRest()
        judge()
        clear()
    }

    /// Makes a process of the app.
    func launch(_ role: Int) {
        let process = AppProcess(id: world.processes.count, role: role, world: world, jobs: makeJobs())
        world.processes.append(process)
        process.launch()
    }

    /// Continues until there is nothing to do up to that moment, or a promise was broken.
    func go(until end: Milliseconds) {
        var patience = Self.patience
        while world.finding == nil {
            let processes = world.processes
            let due = world.due
            var ready = 0
            for process in processes where process.isRunning { ready += process.jobs.waiting }
            guard due + ready > 0 else {
                world.lookAtPrompts()
                guard world.proceed(to: end) else { return world.skip(to: end) }
                continue
            }
            let place = world.chance.below(due + ready)
            if place < due { world.perform(place) } else { run(place - due, of: processes) }
            patience -= 1
            guard patience > 0 else {
                return world.broke(.staysOnSchedule, "a task runs on without waiting for anything.")
            }
        }
    }

    private func run(_ place: Int, of processes: [AppProcess]) {
        var place = place
        for process in processes where process.isRunning {
            let ready = process.jobs.waiting
            guard place >= ready else {
                process.jobs.run(at: place)
                return process.conduct.observe(process)
            }
            place -= ready
        }
    }

    /// Ends all faults, and lets time pass.
    private func bringToRest() {
        world.isCalm = true
        world.isOffline = false
        world.disk.heal()
        for process in world.processes { process.thaw() }
        world.note(nil, "from here on nothing fails")
        go(until: world.now + Self.rest / 2)
        let refreshes = world.ledger.refreshCount
        go(until: world.now + Self.rest / 2)
        // Tokens are good for two minutes at least before they are due, and each is asked for by one process.
        if world.ledger.refreshCount - refreshes > Self.rest / 2 / 120_000 + 1 {
            world.broke(
                .refreshesAreRare, "there were \(world.ledger.refreshCount - refreshes) refreshes in a moment of rest.")
        }
    }

    /// Takes apart what is left, so that the next schedule finds nothing of it.
    private func clear() {
        world.isOver = true
        for process in world.processes {
            process.kill()
            process.takeApart()
        }
        world.processes = []
    }

    /// How long it takes to come to rest: longer than any retry waits.
    private static let rest: Milliseconds = 1_600_000
    /// How many jobs and events there may be up to one moment.
    private static let patience = 50_000
}

/// This system has no task executors: it is older than iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2.
struct Unsupported: Error {
    let explanation = "A simulation needs task executors: iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, or Linux."
}
