import Foundation

/// Keeps the session: one state machine under one lock, the store behind it, and the broadcasts before it.
///
/// A state is linked to the broadcast under the manager's lock, so that readers see every change in the order in which
/// it was decided; readers are woken, attempts cancelled and the store written after the lock is released.
public final class SessionManager: Sendable {
    /// Everything that is decided under the lock.
    struct Rules {
        var machine = SessionMachine()
        /// The attempt that the machine counts as the present one.
        var attempt: SignInAttempt?
        /// The changes of the account that are under way.
        var changes = AccountChanges()
        /// What is present and not in the store.
        var debt: StoreDebt?
        /// When a write that failed is tried again.
        var storeRetry = RefreshRetry()
        /// The lock of whoever refreshes, kept while the store holds a token that nobody must send again.
        var heldLock: SessionStoreLock?
        /// How many go on with an adoption now.
        var adopters = 0
        /// The refresh that the machine counts as under way.
        var flight: RefreshFlight?
        /// What is handed out while it is good, kept apart so that nothing else is touched for it.
        var handy: HandyToken?
        /// When something is done without anybody asking.
        var plan = RefreshPlan(due: nil)
        /// The record as this process last wrote it or took it over; a record that differs is another process's.
        var known: KnownRecord?
        /// The records of writes that failed since the record was last read: the store may hold any of them.
        var tried: Set<Data?> = []
        /// The record as this process last read it.
        var found: StoredRecord?
        /// Resolved once it is known who is signed in, or that this has to wait for the network.
        var decision: OneShot<Void>?
        /// The adoption under way, as its callers share it.
        var sharedAdoption: SharedAdoption?
        /// How far the server's clock is ahead of the device's.
        var skew: Duration?
    }

    /// What a transition asks for beyond the new state.
    struct Effects {
        /// To be published, in this order.
        var events: [AuthEvent] = []
        /// To be cancelled.
        var superseded: SignInAttempt?
        /// To be told what came of it.
        var landed: (flight: RefreshFlight, outcome: Result<Secret, AuthError>)?
    }

    let store: any SessionStore
    let clock: AuthClock
    /// One store operation at a time, in order, so that a slow write cannot undo a later sign-out.
    let storeGate = SerialGate()
    /// One at a time asks for what another SDK left, or makes it let go.
    let launchGate = SerialGate()
    /// One request at a time uses the refresh token or replaces it.
    let refreshGate = SerialGate()
    /// What another SDK may have left, asked once when the store is empty.
    let leftBehind: LeftBehind?

    /// Resolved once it is known what the store held at the launch, or somebody signed in or out before.
    let wasRead = OneShot<Void>()

    private let rules = Lock(Rules())
    private let stateBroadcast: Broadcast<AuthState>
    private let eventBroadcast = Broadcast<AuthEvent>()

    /// Makes a manager that has not read its store yet.
    ///
    /// - Parameters:
    ///   - store: Where the session outlives the process.
    ///   - clock: Time.
    ///   - leftBehind: What another SDK left, as ``AuthService`` takes it.
    public convenience init(
        store: any SessionStore, clock: AuthClock = .system,
        leftBehind: LeftBehind? = nil
    ) {
        self.init(store: store, clock: clock, leftBehind: leftBehind, limit: 65_536)
    }

    /// - Parameter limit: How many states a reader may lag behind.
    init(
        store: any SessionStore, clock: AuthClock = .system,
        leftBehind: LeftBehind? = nil, limit: Int
    ) {
        self.store = store
        self.clock = clock
        self.leftBehind = leftBehind
        stateBroadcast = Broadcast(SessionMachine().state, limit: limit) { [eventBroadcast] skipped in
            eventBroadcast.send(AuthEvent(.readerFellBehind, skipped: skipped))
        }
    }

    deinit { finish() }

    /// The state now.
    public var state: AuthState { rules.withLock { $0.machine.state } }

    /// The state now and every change from now on.
    public var states: AuthStates { AuthStates(stateBroadcast) }

    /// What happens from now on.
    public var events: AuthEvents { AuthEvents(eventBroadcast) }

    /// Ends the broadcasts: readers get what they have not read yet, then `nil`.
    func finish() {
        rules.withLock { $0.decision.take() }?.resolve(())
        stateBroadcast.finish()
        eventBroadcast.finish()
    }

    /// Decides without changing anything: the way of those who only ask, so it does as little as it can.
    func look<Value>(_ question: (borrowing SessionMachine) -> Value) -> Value {
        rules.withLock { question($0.machine) }
    }

    /// What is at hand for somebody who wants a good token: one look at the clock, one lock.
    @usableFromInline var atHand: AtHand {
        let now = clock.uptime
        return rules.withLock { rules in
            guard let handy = rules.handy else { return .nothing }
            if now < handy.end ?? .seconds(Int64.max) { return .token(handy.token) }
            guard rules.machine.isRefreshing, let flight = rules.flight else { return .nothing }
            return .flight(flight)
        }
    }

    /// The refresh under way, for somebody who needs one.
    func flight(for demand: TokenDemand, at uptime: Duration) -> RefreshFlight? {
        rules.withLock { rules in
            guard let flight = rules.flight, case .refresh = rules.machine.token(at: uptime, for: demand) else {
                return nil
            }
            return flight
        }
    }

    /// When something is to be done without anybody asking.
    var plan: RefreshPlan { rules.withLock { $0.plan } }

    var session: Session? { rules.withLock { $0.machine.session } }

    /// Applies a transition, publishes what it changed under the same lock, and carries out the rest after it.
    @discardableResult
    func apply<Value: Sendable>(_ transition: @Sendable (inout Rules, inout Effects) -> Value) -> Value {
        let (value, aftermath) = rules.withLock { rules in
            let (before, wasUnread) = (rules.machine.state, rules.machine.isUnread)
            var effects = Effects()
            let value = transition(&rules, &effects)
            var aftermath = Aftermath(effects, of: &rules)
            rules.handy = rules.machine.handyToken
            let after = rules.machine.state
            if after != before { aftermath.state = stateBroadcast.link(after) }
            aftermath.events = effects.events.compactMap(eventBroadcast.link)
            if wasUnread, !rules.machine.isUnread { aftermath.reading = wasRead }
            if rules.machine.isDecided { aftermath.decision = rules.decision.take() }
            return (value, aftermath)
        }
        aftermath.carryOut()
        return value
    }

    /// Publishes an event that belongs to no transition.
    func publish(_ event: AuthEvent) {
        apply { _, effects in effects.events.append(event) }
    }
}
