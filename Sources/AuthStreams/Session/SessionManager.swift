import Foundation

/// Owns the session: one state machine under one lock, the store behind it, and the broadcasts before it.
///
/// A state is linked to the broadcast under the manager's lock, so that readers see every change in the order in which it was
/// decided. Readers are woken, operations interrupted and the store written after the lock is released.
public final class SessionManager: Sendable {
    /// The values that the lock guards.
    private struct Guarded {
        var machine: SessionStateMachine
        /// Projections of the machine, stored separately so that a caller that needs a token reads nothing else.
        var currentToken: (token: Secret, end: Duration?, refresh: RefreshOperation?)?
        var schedule = Schedule(due: nil)
        /// Resolved once the store was read, and once it is known who is signed in, or that this has to wait for the network.
        var decision: Promise<Void>?
        /// The adoption on demand under way, which all callers share.
        var adoption: Promise<Void>?
    }

    let store: any SessionStore
    /// Tells the attempts of this manager from those of earlier processes.
    let id = UUID()
    let clock: AuthClock
    /// One store operation at a time, in order, so that a slow write cannot undo a later sign-out.
    let storeMutex = AsyncMutex()
    /// One caller at a time asks for what another SDK left, or makes that SDK discard it.
    let launchMutex = AsyncMutex()
    /// One request at a time uses the refresh token or replaces it.
    let refreshMutex = AsyncMutex()
    /// The method of the last sign-in on this device.
    let lastSignIn = LastSignIns.State()
    /// Returns a method as far as a service offers it.
    let offeredMethod: @Sendable (SignInMethod) -> SignInMethod?
    /// Finds the session of another SDK; called when the store is empty.
    let migration: SessionMigration?

    /// Resolved once it is known what the store held at the launch, or a sign-in or sign-out was decided before.
    let wasRead = Promise<Void>()

    /// The tasks that outlive their callers.
    let outstanding = OutstandingTasks()
    /// Asks the server about a session of another SDK.
    private let adopt: @Sendable (SessionManager) async -> Void
    /// Resolved once tokens are requested on demand only.
    let isOnDemand = Promise<Void>()

    private let guarded: Lock<Guarded>
    private let stateBroadcast: Broadcast<AuthState>
    private let eventBroadcast = Broadcast<AuthEvent>()

    /// Makes a manager that has not read its store yet.
    ///
    /// - Parameters:
    ///   - store: Where the session outlives the process.
    ///   - clock: Time.
    ///   - migration: What another SDK left, as ``AuthService`` takes it.
    public convenience init(
        store: any SessionStore, clock: AuthClock = .system,
        migration: SessionMigration? = nil
    ) {
        self.init(store: store, clock: clock, migration: migration, offering: { $0 })
    }

    /// - Parameters:
    ///   - offeredMethod: Returns a method as far as the service offers it; `nil` if it does not have the provider.
    ///   - refreshPolicy: When tokens are requested.
    ///   - adopt: Asks the server about a session of another SDK, for a caller; see ``adoptOnDemand()``.
    ///   - limit: How many states a reader may lag behind.
    init(
        store: any SessionStore, clock: AuthClock = .system, migration: SessionMigration? = nil,
        offering offeredMethod: @escaping @Sendable (SignInMethod) -> SignInMethod? = { $0 },
        refreshPolicy: RefreshPolicy = .aheadOfExpiry,
        adoptingBy adopt: @escaping @Sendable (SessionManager) async -> Void = { _ in }, limit: Int = 65_536
    ) {
        guarded = Lock(Guarded(machine: SessionStateMachine(refreshPolicy: refreshPolicy)))
        if refreshPolicy == .onDemand { isOnDemand.resolve(()) }
        self.adopt = adopt
        self.store = store
        self.clock = clock
        self.migration = migration
        self.offeredMethod = offeredMethod
        stateBroadcast = Broadcast(SessionStateMachine().authState, limit: limit) { [eventBroadcast] skipped in
            eventBroadcast.send(AuthEvent(.readerFellBehind, skipped: skipped))
        }
    }

    deinit { finish() }

    /// The state now.
    public var state: AuthState { look { $0.authState } }

    /// The state now and every change from now on.
    public var states: AuthStates { AuthStates(stateBroadcast) }

    /// The events from now on.
    public var events: AuthEvents { AuthEvents(eventBroadcast) }

    /// Ends the broadcasts: readers get what they have not read yet, then `nil`.
    func finish() {
        guarded.withLock { $0.decision.take() }?.resolve(())
        stateBroadcast.finish()
        eventBroadcast.finish()
        lastSignIn.broadcast.finish()
    }

    // MARK: The lock

    /// Reads the machine without a transition.
    func look<Value>(_ question: (borrowing SessionStateMachine) -> Value) -> Value {
        guarded.withLock { question($0.machine) }
    }

    /// Reports a fact to the machine, publishes what it changed under the same lock, and performs the other effects after it.
    @discardableResult
    private func receive<Value: Sendable>(_ fact: @Sendable (inout SessionStateMachine) -> Value) -> Value {
        let (value, rest) = guarded.withLock { guarded in
            let (before, wasUnread) = (guarded.machine.authState, guarded.machine.isUnread)
            let value = fact(&guarded.machine)
            return (value, publish(&guarded, after: before, wasUnread))
        }
        rest.perform()
        return value
    }

    /// Publishes what a fact changed. Not inlined: the compiler specializes `receive` for each fact, and this part once.
    @inline(never)
    private func publish(_ guarded: inout Guarded, after before: AuthState, _ wasUnread: Bool) -> PendingEffects {
        var rest = PendingEffects(effects: guarded.machine.takeEffects())
        let present = guarded.machine.authState
        if present != before, let delivery = stateBroadcast.link(present) { rest.deliveries.append(delivery) }
        for case .emit(let event) in rest.effects {
            if let delivery = eventBroadcast.link(event) { rest.deliveries.append(delivery) }
        }
        guarded.currentToken = guarded.machine.currentToken
        if guarded.machine.due != guarded.schedule.due {
            rest.promises.append(guarded.schedule.change)
            guarded.schedule = Schedule(due: guarded.machine.due)
        }
        let isRead = wasUnread && !guarded.machine.isUnread
        if isRead { rest.promises.append(wasRead) }
        if isRead || guarded.machine.isDecided, let decision = guarded.decision.take() {
            rest.promises.append(decision)
        }
        return rest
    }

    /// The work for the time after the lock is released.
    private struct PendingEffects {
        let effects: [SessionStateMachine.Effect]
        var promises: [Promise<Void>] = []
        var deliveries: [BroadcastDelivery] = []

        func perform() {
            for effect in effects {
                switch effect {
                case .emit: break
                case .interrupt(let interruption, let error): interruption.resolve(error)
                case .finish(let refresh, let result): refresh.outcome.resolve(result)
                case .supersede(let refresh):
                    refresh.outcome.resolve(.failure(.superseded))
                    refresh.supersession.resolve(())
                case .release(let lock): lock.release()
                }
            }
            for promise in promises { promise.resolve(()) }
            for delivery in deliveries { delivery.wakeReaders() }
        }
    }

    // MARK: Questions

    var session: Session? { look { $0.session } }

    /// The provider that is asked, and the step that was reached; `nil` when no provider is asked.
    package var progress: (provider: ProviderID, step: AuthState.SignInStep)? { look { $0.operations.progress } }

    /// The token for a caller that needs a valid one: one look at the clock, one lock.
    @usableFromInline var currentToken: CurrentToken {
        let now = clock.uptime
        return guarded.withLock { guarded in
            guard let current = guarded.currentToken else { return .none }
            if now < current.end ?? .seconds(Int64.max) { return .token(current.token) }
            return current.refresh.map { .refresh($0) } ?? .none
        }
    }

    /// The times of the next background operations.
    var schedule: Schedule { guarded.withLock { $0.schedule } }

    /// Waits until it is known who is signed in, or that this has to wait for the network.
    ///
    /// - Returns: `false` when the task was cancelled first.
    func waitUntilDecided() async -> Bool {
        while let decision = decision() {
            await adoptOnDemand()
            guard await decision.value() != nil else { return false }
        }
        return true
    }

    /// Asks the server about the migration for a caller, once for all that wait, and returns when the request has ended. It does
    /// nothing where the server is asked without a caller.
    func adoptOnDemand() async {
        let (isNew, adoption) = guarded.withLock { guarded -> (Bool, Promise<Void>?) in
            guard guarded.machine.isMigrationOnDemand, !Task.isCancelled else { return (false, nil) }
            if let running = guarded.adoption { return (false, running) }
            guarded.adoption = Promise()
            return (true, guarded.adoption)
        }
        if isNew {
            outstanding.start {
                await self.adopt(self)
                self.guarded.withLock { $0.adoption.take() }?.resolve(())
            }
        }
        _ = await adoption?.value()
    }

    /// The promise that is resolved once the user is known or the store was read; `nil` if the user is known.
    func decision() -> Promise<Void>? {
        guarded.withLock { guarded in
            guard !guarded.machine.isDecided else { return nil }
            let decision = guarded.decision ?? Promise()
            guarded.decision = decision
            return decision
        }
    }

    // MARK: Facts

    /// From now on tokens are requested on demand only.
    func refreshOnDemand() {
        receive { $0.refreshPolicy = .onDemand }
        isOnDemand.resolve(())
    }

    /// Publishes an event that belongs to no transition.
    func emit(_ event: AuthEvent) { receive { $0.emit(event) } }

    func restored(_ snapshot: RecordSnapshot, of generation: UInt64, since begin: Duration) {
        let now = clock.moment
        receive { $0.restored(snapshot, of: generation, at: now, since: begin) }
    }

    func restoreFailed(_ error: AuthError, of generation: UInt64, isRetry: Bool, since begin: Duration) {
        let now = clock.uptime
        receive { $0.restoreFailed(error, of: generation, isRetry: isRetry, at: now, since: begin) }
    }

    func signInBegan(with provider: ProviderID, at step: AuthState.SignInStep) -> SignInOperation {
        let now = clock.uptime
        return receive { $0.signInBegan(with: provider, at: step, now) }
    }

    func signInResumed(with provider: ProviderID, replacing user: AuthUser.ID?) -> SignInOperation? {
        let now = clock.uptime
        return receive { $0.signInResumed(with: provider, replacing: user, at: .presenting, now) }
    }

    /// Reports how far a sign-in has come. Ignored when it is no longer the present one.
    func report(_ step: AuthState.SignInStep, of operation: SignInOperation) {
        let now = clock.uptime
        receive { $0.reached(step, in: operation, at: now) }
    }

    /// The session of a sign-in is about to be written.
    ///
    /// - Returns: Whether it may be: not when another sign-in or a sign-out superseded it.
    func committed(_ operation: SignInOperation) -> Bool { receive { $0.committed(operation) } }

    func signInFailed(_ operation: SignInOperation, with error: AuthError) -> AuthError {
        let now = clock.uptime
        return receive { $0.signInFailed(operation, error, at: now) }
    }

    func signedIn(_ session: Session, by operation: SignInOperation, begun: Timestamp, _ failure: AuthError?) -> Bool {
        let now = clock.moment
        return receive { $0.signedIn(session, by: operation, begun: begun, at: now, failure: failure) }
    }

    func changeBegan(
        _ kind: AuthEvent.Change, with provider: ProviderID?, of user: AuthUser.ID
    ) -> AccountChange? {
        let now = clock.uptime
        return receive { $0.changeBegan(kind, with: provider, of: user, at: now) }
    }

    /// Reports how far a change has come. Ignored when it is over.
    func report(_ step: AuthState.SignInStep, of change: AccountChange) {
        let now = clock.uptime
        receive { $0.reached(step, in: change, at: now) }
    }

    func changeEnded(_ change: AccountChange, _ error: AuthError?) -> AuthError? {
        let now = clock.uptime
        return receive { $0.changeEnded(change, error, at: now) }
    }

    /// The deletion of this user that is under way, or a new one.
    func sharedDeletion(of user: AuthUser.ID) -> SharedOperation<Void> {
        receive { $0.operations.sharedDeletion(of: user) }
    }

    /// Ends the session in memory. A sign-in under way is superseded. The caller clears the store with ``persistPending()``.
    ///
    /// - Returns: The session that ended, for telling the server; `nil` when no user was signed in.
    func signOut() -> Session? {
        let now = clock.moment
        return receive { $0.signedOut(at: now) }
    }

    /// Ends the session in memory, unless the person signed in again since the request.
    func signOut(_ request: SignOutEverywhereRequest) throws(AuthError) -> EndedSession? {
        let now = clock.moment
        return try receive { $0.signedOutEverywhere(request, at: now) }.get()
    }

    /// Ends the session in memory, if it is still that of the identity. The caller clears the store with ``persistPending()``.
    ///
    /// - Parameter report: When the provider reported it.
    /// - Returns: The session that ended, for telling the server.
    func accessRevoked(by identity: ProviderIdentity, at report: Timestamp) -> Session? {
        receive { $0.accessRevoked(by: identity, at: report) }
    }

    /// The server deleted the account: ends the session in memory and in the store.
    func accountDeleted(by change: AccountChange) async {
        let now = clock.moment
        // First: a process that finds the session after a restart learns of the deletion, and one that finds none does not.
        await LastSignIns(manager: self).forget(change.userID)
        // If the store fails, the write is retried automatically; the server refuses what a restart finds before that.
        if receive({ $0.accountDeleted(by: change, at: now) }) { try? await persistPending() }
        await PendingAttempts(manager: self).clear()
    }

    /// Not inlined: only callers without a valid token come here, and the transition is large.
    @inline(never)
    func tokenRequested(_ demand: TokenDemand) -> TokenDecision {
        let now = clock.uptime
        // Most of many concurrent callers find a decision, and change nothing.
        return look { $0.tokenDecision(demand, at: now) } ?? receive { $0.tokenRequested(demand, at: now) }
    }

    /// A request with the present session; `nil` when there is none.
    func request() -> RefreshRequest? { look { $0.request() } }

    /// - Returns: Whether the request may be sent: not when its session is over.
    func requestBegan(_ request: RefreshRequest) -> Bool { receive { $0.requestBegan(request) } }

    func mark(
        _ journal: RefreshJournal, of token: Secret?, in generation: UInt64, after foreignRecords: UInt64
    ) -> SessionRecord? {
        let now = clock.date
        return receive { $0.mark(journal, of: token, in: generation, after: foreignRecords, at: now) }
    }

    func markFailed(
        _ journal: RefreshJournal, before: RefreshJournal, in generation: UInt64, _ error: AuthError
    ) {
        let now = clock.uptime
        receive { $0.markFailed(journal, before: before, in: generation, error, at: now) }
    }

    func markUnwritten(before: RefreshJournal, in generation: UInt64) {
        receive { $0.markUnwritten(before: before, in: generation) }
    }

    func markInMemory(_ journal: RefreshJournal, in generation: UInt64) {
        receive { $0.markInMemory(journal, in: generation) }
    }

    func replaced(
        by replacement: SessionStateMachine.Replacement, to request: RefreshRequest, _ failure: AuthError?
    ) -> SessionStateMachine.Commit {
        let now = clock.moment
        return receive { $0.replaced(by: replacement, to: request, failure, at: now) }
    }

    func answerIgnored(_ answer: Session, consuming token: Secret?) {
        receive { $0.answerIgnored(answer, consuming: token) }
    }

    func refreshRejected(_ request: RefreshRequest, _ reason: SignOutReason, because error: AuthError) -> Bool {
        let now = clock.uptime
        return receive { $0.refreshRejected(request, reason, because: error, at: now) }
    }

    /// A refresh ended: tells its callers. Ignored where the stored answer has ended it.
    func finish(_ refresh: RefreshOperation, with result: Result<Secret, AuthError>) {
        let now = clock.moment
        receive { $0.refreshEnded(refresh, result, at: now) }
    }

    /// The answer to a refresh token was read, and nothing took its place here.
    func tokenConsumed(_ token: Secret?) { receive { $0.storage.tokenConsumed(token) } }

    func takeRetainedLock() -> SessionStoreLock? { receive { $0.storage.takeLock() } }

    /// - Returns: Whether the lock is retained, because the store holds a token that no process must send again.
    func retain(_ lock: SessionStoreLock) -> Bool { receive { $0.storage.retain(lock) } }

    func migrationBegan(
        _ legacy: LegacySession, in generation: UInt64, _ failure: AuthError?
    ) -> SharedOperation<AuthUser?>? {
        let now = clock.uptime
        return receive { $0.migrationBegan(legacy, in: generation, failure, at: now) }
    }

    /// The outcome of the migration under way, which all callers share; `nil` when there is none.
    func sharedMigration() -> SharedOperation<AuthUser?>? { receive { $0.sharedMigration() } }

    /// A caller asks the server about the migration, or waits for that.
    func migrationCallerCame() { receive { $0.migrationCallers += 1 } }

    func migrationCallerLeft() { receive { $0.migrationCallerLeft() } }

    func migrationFailed(_ request: MigrationRequest, isRetried: Bool, because error: AuthError) {
        let now = clock.moment
        receive { $0.migrationFailed(request, isRetried: isRetried, error, at: now) }
    }

    /// The server refuses the migration: ends it in memory and in the store.
    func migrationRejected(_ request: MigrationRequest, _ reason: SignOutReason, because error: AuthError) async {
        let now = clock.uptime
        // If the store fails, the write is retried automatically.
        if receive({ $0.migrationRejected(request, reason, because: error, at: now) }) { try? await persistPending() }
    }

    func migrated(
        to session: Session, savedAt: Date, _ request: MigrationRequest, _ failure: AuthError?
    ) -> Bool {
        let now = clock.moment
        return receive { $0.migrated(to: session, savedAt: savedAt, request, failure, at: now) }
    }

    func migrationSuperseded(_ request: MigrationRequest) {
        let now = clock.uptime
        receive { $0.migrationSuperseded(request, at: now) }
    }

    // MARK: Facts about the store

    func written(in generation: UInt64) { receive { $0.written(in: generation) } }

    func writeFailed(_ error: AuthError) {
        let now = clock.uptime
        receive { $0.writeFailed(error, at: now) }
    }

    func writeBegan(_ next: RecordSnapshot) -> Bool { receive { $0.storage.writeBegan(next) } }

    func writeRefused(_ next: RecordSnapshot, isFirst: Bool) {
        receive { $0.storage.writeRefused(next, isFirst: isFirst) }
    }

    func wrote(_ snapshot: RecordSnapshot) { receive { $0.storage.written(snapshot) } }

    func recordRead(_ snapshot: RecordSnapshot) { receive { $0.recordRead(snapshot) } }

    /// - Returns: Whether another process wrote the record.
    func observed(_ snapshot: RecordSnapshot) -> Bool { receive { $0.observed(snapshot) } }

    func foundDamaged(_ snapshot: RecordSnapshot) { receive { $0.foundDamaged(snapshot) } }

    /// - Returns: Whether the record of another process is present now.
    func recordObserved(_ snapshot: RecordSnapshot) -> Bool {
        let now = clock.moment
        return receive { $0.recordObserved(snapshot, at: now) }
    }
}
