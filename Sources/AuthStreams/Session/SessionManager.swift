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
    }

    let store: any SessionStore
    /// Tells the attempts of this manager from those of earlier processes.
    let id = UUID()
    package let clock: AuthClock
    /// One store operation at a time, in order, so that a slow write cannot undo a later sign-out.
    let storeMutex = AsyncMutex()
    /// One caller at a time asks for the adoptable session, or makes the other SDK discard it.
    let launchMutex = AsyncMutex()
    /// One request at a time uses the refresh token or replaces it.
    let refreshMutex = AsyncMutex()
    /// The method of the last sign-in on this device.
    let lastSignIn = LastSignIns.State()
    /// The notes that were read or written last, and what they say.
    let decodedNotes = Lock<(record: StoredRecord, notes: Notes)>((StoredRecord(data: nil, version: .none), Notes(nil)))
    /// Returns a method as far as a service offers it.
    let offeredMethod: @Sendable (SignInMethod) -> SignInMethod?
    /// See ``AuthRepository/owns(_:)``.
    let owns: @Sendable (AuthSession) -> Bool
    /// Finds the session of another SDK; called if nothing was ever stored.
    let adoption: SessionAdoption?

    /// Resolved once it is known what the store held at the launch, or a sign-in or sign-out was decided before.
    let wasRead = Promise<Void>()

    /// The tasks that outlive their callers.
    let outstanding = OutstandingTasks()

    /// Asks the person whether the session may be used.
    let gate: SessionGate?
    /// Kept for the gate, which follows it.
    private let activity: AppActivity
    let gateStates = Broadcast(SessionGate.State.open)

    let currentPrompt = CurrentPrompt()
    /// The records of the links that attempts of this process wait for.
    let awaitedLinks = Lock(Set<UUID>())
    /// Shows the pages that prompts have. The service keeps it alive, and not the tasks that outlive the service by a moment.
    private let promptPages: WeakReference<PromptPages>?

    private let guarded: Lock<Guarded>
    private let stateBroadcast: Broadcast<AuthState>
    private let eventBroadcast = Broadcast<AuthEvent>()

    /// Makes a manager that has not read its store yet.
    ///
    /// - Parameters:
    ///   - store: Where the session outlives the process.
    ///   - clock: Time.
    ///   - adoption: The session of another SDK, as ``AuthService`` takes it.
    ///   - owns: The repository's ``AuthRepository/owns(_:)``; `true` unless given.
    public convenience init(
        store: any SessionStore, clock: AuthClock = .system,
        adoption: SessionAdoption? = nil, owning owns: @escaping @Sendable (AuthSession) -> Bool = { _ in true }
    ) {
        self.init(store: store, clock: clock, adoption: adoption, offering: { $0 }, owning: owns)
    }

    /// - Parameters:
    ///   - offeredMethod: Returns a method as far as the service offers it; `nil` if it does not have the provider.
    ///   - owns: See ``AuthRepository/owns(_:)``.
    ///   - promptPages: Shows the pages that prompts have. It is not kept alive.
    ///   - refreshPolicy: When tokens are requested.
    ///   - gate: Asks the person whether the session may be used; `nil` if they are not asked.
    ///   - activity: Where the app is.
    ///   - limit: How many states a reader may lag behind.
    init(
        store: any SessionStore, clock: AuthClock = .system, adoption: SessionAdoption? = nil,
        offering offeredMethod: @escaping @Sendable (SignInMethod) -> SignInMethod? = { $0 },
        owning owns: @escaping @Sendable (AuthSession) -> Bool = { _ in true },
        showing promptPages: PromptPages? = nil, refreshPolicy: RefreshPolicy = .aheadOfExpiry,
        gate: SessionGate? = nil, activity: AppActivity = .always, limit: Int = 65_536
    ) {
        let machine = SessionStateMachine(
            refreshPolicy: refreshPolicy, adopts: adoption != nil, gate: GateStateMachine(absence: gate?.absence))
        guarded = Lock(Guarded(machine: machine))
        (self.gate, self.activity) = (gate, activity)
        self.store = store
        self.clock = clock
        self.adoption = adoption
        self.offeredMethod = offeredMethod
        self.owns = owns
        self.promptPages = promptPages.map { WeakReference($0) }
        stateBroadcast = Broadcast(SessionStateMachine().authState, limit: limit) { [eventBroadcast] skipped in
            eventBroadcast.send(AuthEvent(.readerFellBehind, details: .missed(skipped)))
        }
        follow(activity)
    }

    deinit { finish() }

    /// The state now.
    public var state: AuthState { read { $0.authState } }

    /// The state now and every change from now on.
    public var states: AuthStates { AuthStates(stateBroadcast) }

    /// The events from now on.
    public var events: AuthEvents { AuthEvents(eventBroadcast) }

    /// The prompt that the person is shown, now and from now on.
    public var prompts: AuthPrompts { AuthPrompts(currentPrompt) }

    /// Shows the pages that prompts have; `nil` if nothing does.
    var userAgent: (any UserAgent)? { promptPages?.object?.userAgent }

    /// Ends the broadcasts: readers get what they have not read yet, then `nil`.
    func finish() {
        stateBroadcast.finish()
        eventBroadcast.finish()
        lastSignIn.broadcast.finish()
        gateStates.finish()
        guarded.withLock { $0.machine.gate.abandoned() }?.end(.withdrawn)
        currentPrompt.broadcast.finish()
    }

    // MARK: The lock

    /// Reads the machine.
    package func read<Value>(_ question: (borrowing SessionStateMachine) -> Value) -> Value {
        guarded.withLock { question($0.machine) }
    }

    /// Changes the machine by one fact of the present moment, publishes what that changed under the same lock, and performs the
    /// other effects after it.
    func transition<Value>(_ fact: (inout SessionStateMachine, _ now: Timestamp) -> Value) -> Value {
        let now = clock.moment
        let (value, rest) = guarded.withLock { guarded in
            let before = (guarded.machine.authState, guarded.machine.gateState, guarded.machine.isUnread)
            let value = fact(&guarded.machine, now)
            return (value, publish(&guarded, at: now, after: before))
        }
        rest.perform(for: self)
        return value
    }

    /// Publishes an event.
    @inline(never)  // Not repeated in each of its callers.
    func emit(_ event: AuthEvent) { transition { machine, _ in machine.emit(event) } }

    /// Publishes what a fact changed. Not inlined: the compiler specializes `transition` for each fact, and this part once.
    @inline(never)
    private func publish(
        _ guarded: inout Guarded, at now: Timestamp,
        after before: (state: AuthState, gate: SessionGate.State, isUnread: Bool)
    ) -> PendingEffects {
        let effects = guarded.machine.takeEffects(at: now.uptime)
        var rest = PendingEffects(actions: effects.actions)
        let (present, gate) = (guarded.machine.authState, guarded.machine.gateState)
        if present != before.state, let delivery = stateBroadcast.link(present) { rest.deliveries.append(delivery) }
        if gate != before.gate {
            let deliveries = [gateStates.link(gate), currentPrompt.gateChanged(isClosed: gate != .open)]
            rest.deliveries += deliveries.compactMap(\.self)
        }
        for event in effects.events {
            if let delivery = eventBroadcast.link(event) { rest.deliveries.append(delivery) }
        }
        guarded.currentToken = guarded.machine.currentToken
        if guarded.machine.due != guarded.schedule.due {
            rest.promises.append(guarded.schedule.change)
            guarded.schedule = Schedule(due: guarded.machine.due)
        }
        if before.isUnread && !guarded.machine.isUnread { rest.promises.append(wasRead) }
        return rest
    }

    /// The work for the time after the lock is released.
    private struct PendingEffects {
        let actions: [SessionStateMachine.Action]
        var promises: [Promise<Void>] = []
        var deliveries: [BroadcastDelivery] = []

        func perform(for manager: SessionManager) {
            for action in actions {
                switch action {
                case .interrupt(let interruption, let error): interruption.resolve(error)
                case .finish(let refresh, let result): refresh.outcome.resolve(result)
                case .supersede(let refresh):
                    refresh.outcome.resolve(.failure(.superseded))
                    refresh.supersession.resolve(())
                case .release(let lock): lock.release()
                case .ask(let question): manager.ask(question)
                case .endQuestion(let question, let outcome): question.end(outcome)
                }
            }
            for promise in promises { promise.resolve(()) }
            for delivery in deliveries { delivery.wakeReaders() }
        }
    }

    // MARK: Questions

    var session: AuthSession? { read { $0.session } }

    /// Who is signed in, as far as it is known.
    @inline(never)
    var user: AuthUser? { read { $0.user } }

    func isPresent(_ id: SessionID) -> Bool { read { $0.active?.stage.id == id } }

    /// The provider that is asked, and the step that was reached; `nil` when no provider is asked.
    package var progress: (provider: ProviderID, step: AuthState.SignInStep)? { read { $0.operations.progress } }

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
}

/// What shows the pages of a service's prompts.
final class PromptPages: Sendable {
    let userAgent: any UserAgent

    init(_ userAgent: any UserAgent) { self.userAgent = userAgent }
}
