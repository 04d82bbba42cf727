import AuthStreams
import Foundation

/// One process of the app: the library's service on ports to the simulated device, and its own place to run.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class AppProcess: @unchecked Sendable {
    let id: ProcessID
    /// Which of the app's processes it is, such as the app or its extension. One that is launched again has another ``id``.
    let role: Int
    let world: World
    let jobs: any Jobs
    let conduct: Conduct
    private(set) var service: AuthService?
    private(set) weak var weakService: AuthService?
    private(set) weak var weakManager: SessionManager?
    /// What only the library holds from the launch on: while they are there, something of it is.
    private(set) weak var weakStore: DiskStore?
    private(set) weak var weakLine: NetworkLine?
    /// Whether it has not been killed.
    private(set) var isAlive = true
    /// Whether it stands still, as one that the system has stopped: nothing of it runs, and it keeps what it holds.
    private(set) var isFrozen = false
    /// When it was last stopped.
    private var stop: Milliseconds = 0
    /// Whether it can no longer write what it holds: it died, or its service was released.
    var isGone: Bool { !isAlive || service == nil }
    /// Whether anything of it can run now.
    var isRunning: Bool { isAlive && !isFrozen }
    /// Tasks that have begun and not ended.
    private(set) var openTasks = 0
    private var lost: [() -> Void] = []

    init(id: ProcessID, role: Int, world: World, jobs: any Jobs) {
        self.id = id
        self.role = role
        self.world = world
        self.jobs = jobs
        conduct = Conduct()
    }

    // MARK: Its life

    /// Makes the service, and a reader of its states.
    func launch() {
        world.note(self, "is launched")
        let (store, line) = (DiskStore(self), NetworkLine(self))
        (weakStore, weakLine) = (store, line)
        let clock = AuthClock(SimulatedClock(self)) { [self] in date }
        let repository = SimulatedRepository(self, line: line, clock: clock)
        inside {
            let service = AuthService(
                repository: repository, providers: [SimulatedProvider(.kakao, self), SimulatedProvider(.google, self)],
                store: store, callbacks: CallbackRouter(), clock: clock,
                adoption: world.otherSDK?.adoption(for: self),
                sinks: [AuthEventSink { [conduct] in conduct.events.append($0) }],
                api: APIAccess(to: [Self.server], over: line))
            self.service = service
            (weakService, weakManager) = (service, service.manager)
            conduct.began(with: service.state, at: world.ledger.mark())
        }
        readStates()
        readPrompts()
    }

    /// Releases the service, as an app does at its end.
    func releaseService() {
        if isAlive, service != nil { leave() }
        if conduct.screen.isAsking, !world.isOver { world.met(.released) }
        service = nil
    }

    /// Dies, wherever it is: nothing of it ever runs again, and what the device held for it is free.
    func kill() {
        guard isAlive else { return }
        world.note(self, "is killed")
        if service != nil { leave() }
        if conduct.screen.isAsking, !world.isOver { world.met(.killed) }
        isAlive = false
        world.cancelAll(of: id)
        world.disk.left(by: self)
        world.ledger.died(self)
    }

    /// The changes that it could not write are lost.
    private func leave() {
        guard !world.isOver else { return }
        conduct.observe(self)
        world.ledger.lookAtLoss(in: self)
    }

    /// Stands still, at any point, until it is resumed.
    func freeze() {
        guard isRunning else { return }
        world.note(self, "is stopped")
        if conduct.screen.isAsking { world.met(.frozen) }
        isFrozen = true
        stop = world.now
        world.freeze(id)
    }

    /// Resumes where it was.
    func thaw() {
        guard isAlive, isFrozen else { return }
        world.note(self, "resumes")
        isFrozen = false
        conduct.lastThaw = world.now
        world.ledger.wentOn(self, stoppedAt: stop)
        world.thaw(id)
    }

    /// Takes a killed process apart, unseen, so that its memory is free for other schedules.
    func takeApart() {
        guard !isAlive else { return }
        releaseService()
        for call in conduct.calls { call.task?.cancel() }
        let lost = lost
        self.lost = []
        for end in lost { end() }
        var patience = 100_000
        while jobs.waiting > 0, patience > 0 {
            jobs.run(at: 0)
            patience -= 1
        }
    }

    // MARK: What it holds

    /// What the library shows and holds at one moment, and the version of the record that it saw whole last.
    struct Snapshot: Equatable {
        let state: AuthState
        let kept: KeptSession?
        let isUnread: Bool
        let knownVersion: RecordVersion?
        let isWriting: Bool

        /// Whether the session that is present is the one that a record holds.
        func holds(_ stored: RecordContent.Kept?) -> Bool {
            guard let kept, let stored else { return kept == nil && stored == nil }
            let access = kept.session.flatMap { TokenName($0.accessToken.reveal()) }
            let isSame =
                stored.id == kept.id.rawValue && stored.tokens == kept.stage.tokens
                && stored.edition == kept.stage.edition && stored.token == kept.name && stored.access == access
            return isSame && kept.session.map { $0.user == stored.user } ?? true
        }
    }

    /// `nil` once the library is gone.
    var snapshot: Snapshot? {
        weakManager?.read {
            Snapshot(
                state: $0.authState, kept: $0.kept, isUnread: $0.isUnread, knownVersion: $0.storage.known?.version,
                isWriting: $0.storage.pending != nil)
        }
    }

    /// The session that is present in the library, by its refresh token, or by its only token.
    var present: TokenName? {
        guard let manager = weakManager else { return nil }
        return manager.read { $0.kept }?.name
    }

    /// Its access token.
    var presentAccess: TokenName? {
        weakManager?.read { $0.kept }?.session.flatMap { TokenName($0.accessToken.reveal()) }
    }

    /// Whose session is present, as far as the library knows; also while its sign-in is about to be written.
    var presentUser: Int? {
        weakManager?.read { $0.kept?.userID ?? $0.storage.pending?.next?.userID }.flatMap { Int($0.dropFirst()) }
    }

    /// Which session it is, and how far it has come.
    var presentStage: KeptSession.Stage? { weakManager?.read { $0.kept?.stage } }

    /// Whether something is still to be written of the session.
    var isWriting: Bool { weakManager?.read { $0.storage.pending != nil } ?? false }

    /// The session that is still to be written.
    var pendingSession: TokenName? { weakManager?.read { $0.storage.pending?.next?.name } }

    /// The version of the session's record that the library goes by; `nil` before it has read one.
    var knownVersion: RecordVersion? { weakManager?.read { $0.storage.known?.version } }

    /// What that record is.
    var known: StoreEntry? {
        let log = world.ledger.log
        return knownVersion.flatMap { log.indices.contains(Int($0.rawValue)) ? log[Int($0.rawValue)] : nil }
    }

    /// The session of a sign-in that is about to be written, or that the store failed to take.
    var pendingSignIn: TokenName? {
        let next = weakManager?.read { $0.storage.pending?.next }
        return next?.name.flatMap { world.ledger.origins[world.ledger.lineage.root($0.family)] == id ? $0 : nil }
    }

    /// It learns what the session's record was when it was read.
    func learned(_ stored: StoredRecord) {
        let (log, version) = (world.ledger.log, Int(stored.version.rawValue))
        guard log.indices.contains(version) else { return }
        // Two readings can be under way, and the one that began first can end last.
        let isOlder = version < conduct.lastRead
        conduct.lastRead = version
        let isDamaged = stored.data == Disk.damaged
        conduct.read(isDamaged ? nil : log[version], in: self)
        // What this process saw whole it writes again.
        let isLost = isDamaged && stored.version != knownVersion && (conduct.mayReplaceTokens || isWriting)
        conduct.hasLostRecord = isLost || isOlder && conduct.hasLostRecord
    }

    // MARK: Running

    /// Starts a task of this process.
    @discardableResult
    func start(_ body: @escaping TaskSpawner.Body) -> Task<Void, Never> {
        inside { TaskSpawner.start(body) }
    }

    /// What is started in here runs in this process, and so does what it starts in turn.
    private func inside<Value>(_ body: () -> Value) -> Value {
        TaskSpawner.withStarter(
            { [self] body in
                openTasks += 1
                return jobs.start {
                    await body()
                    self.openTasks -= 1
                }
            }, body)
    }

    /// A reply for a call to a port; in a process that is gone it is lost.
    func reply<Value: Sendable>(orElse value: Value) -> Reply<Value> {
        let reply = Reply<Value>()
        if isAlive { lost.append { reply.give(value) } } else { reply.give(value) }
        return reply
    }

    private static let server = URL(literal: "https://server.test")

    /// The date by the device's clock.
    var date: Date {
        Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(world.now + world.clockError) / 1000)
    }
}

extension KeptSession {
    /// The token by which the simulated session is known.
    var name: TokenName? { (refreshToken ?? session?.accessToken).flatMap { TokenName($0.reveal()) } }
}
