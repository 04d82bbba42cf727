import AuthStreams

/// One device, its server and its person: everything beyond the library's ports, in simulated time.
///
/// Confined: only the thread that plays the schedule touches it and what hangs on it, hence unchecked.
final class World: @unchecked Sendable {
    let plan: Plan
    let flaw: WorldFlaw?
    var chance: Chance
    let timeline: Timeline
    private(set) var now: Milliseconds = 0
    private(set) var agenda = Agenda()
    /// From here on nothing fails any more.
    var isCalm = false
    /// Whether there is no network.
    var isOffline = false
    /// How wrong the device's clock is.
    var clockError: Milliseconds = 0 {
        didSet { settings.append(now) }
    }
    /// When that was set.
    private var settings: [Milliseconds] = []
    /// How often that was set.
    var clockSets: Int { settings.count }
    /// Every process so far, by identifier, those that are gone included.
    var processes: [AppProcess] = []
    /// What met prompts.
    private(set) var encounters = Encounters()
    /// Whether it is being taken apart: what still runs then would never have run.
    var isOver = false
    /// The promise that was broken first.
    private(set) var finding: Finding?

    private(set) lazy var server = Server(self)
    private(set) lazy var disk = Disk(self)
    private(set) lazy var ledger = Ledger(self)
    /// What providers tell once.
    var profiles = Profiles()
    /// The session of another SDK, if there is one.
    private(set) lazy var otherSDK = plan.adoptableSession.map { OtherSDK($0, self) }

    init(_ schedule: Schedule, timeline: Timeline) {
        plan = schedule.plan
        flaw = schedule.flaw
        chance = schedule.chance
        clockError = schedule.plan.clockError
        self.timeline = timeline
    }

    /// How many things are due now.
    var due: Int { agenda.due(at: now) }

    // MARK: Time

    /// Has something done later, or now in an order that is drawn.
    @discardableResult
    func after(_ delay: Milliseconds, of owner: ProcessID? = nil, _ action: @escaping () -> Void) -> Agenda.ID {
        agenda.add(at: now + delay, of: owner, action)
    }

    func clockWasSet(within span: ClosedRange<Milliseconds>) -> Bool { settings.contains(where: span.contains) }

    func cancel(_ id: Agenda.ID) { agenda.remove(id) }

    func freeze(_ owner: ProcessID) { agenda.freeze(owner) }

    func thaw(_ owner: ProcessID) { agenda.thaw(owner) }

    func cancelAll(of owner: ProcessID) { agenda.removeAll(of: owner) }

    /// Does something that is due.
    func perform(_ place: Int) {
        agenda.take(place, dueAt: now)()
    }

    /// Moves the clock to where something is due.
    ///
    /// - Returns: Whether there is anything until then.
    func proceed(to end: Milliseconds) -> Bool {
        guard let next = agenda.next, next <= end else { return false }
        now = max(now, next)
        return true
    }

    /// Moves the clock when nothing is to come any more.
    func skip(to end: Milliseconds) { now = max(now, end) }

    // MARK: What is known of it

    /// Notes a promise that was broken. The first is what matters.
    func broke(_ promise: Invariant, _ what: @autoclosure () -> String) {
        guard finding == nil, !isOver else { return }
        let finding = Finding(promise: promise, explanation: what())
        self.finding = finding
        note(nil, "!! \(finding)")
    }

    func met(_ encounter: Encounter) { encounters[encounter] += 1 }

    /// Notes what happened, if the timeline is kept.
    func note(_ process: AppProcess?, _ what: @autoclosure () -> String) {
        timeline.note(at: now, process?.id, what())
    }
}
