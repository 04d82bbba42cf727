import Foundation

/// Keeps the session: one state machine under one lock, the store behind it, and the broadcasts before it.
///
/// A state is linked to the broadcast under the keeper's lock, so that readers see every change in the order in which
/// it was decided; readers are woken, attempts cancelled and the store written after the lock is released.
public final class SessionKeeper: Sendable {
    /// Everything that is decided under the lock.
    struct Rules {
        var machine = SessionMachine()
        /// The attempt that the machine counts as the present one.
        var attempt: SignInAttempt?
        /// Whether a write failed, so that the store does not hold what is present.
        var isStoreBehind = false
        /// How many go on with an adoption now.
        var adopters = 0
    }

    /// What a transition asks for beyond the new state.
    struct Effects {
        /// To be published, in this order.
        var events: [AuthEvent] = []
        /// To be cancelled.
        var superseded: SignInAttempt?
    }

    let store: any SessionStore
    let clock: AuthClock
    /// One store operation at a time, in order, so that a slow write cannot undo a later sign-out.
    let storeGate = SerialGate()
    /// One at a time asks for what another SDK left, or makes it let go.
    let launchGate = SerialGate()
    /// One adoption at a time asks the server.
    let adoptionGate = SerialGate()
    /// What another SDK may have left, asked once when the store is empty.
    let leftBehind: LeftBehind?

    private let rules = Lock(Rules())
    private let stateBroadcast: Broadcast<AuthState>
    private let eventBroadcast = Broadcast<AuthEvent>()

    /// Makes a keeper that has not read its store yet.
    ///
    /// - Parameters:
    ///   - store: Where the session outlives the process.
    ///   - clock: Time.
    ///   - leftBehind: What another SDK left; see ``AuthService/init(repository:providers:store:callbacks:clock:leftBehind:)``.
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
        stateBroadcast.finish()
        eventBroadcast.finish()
    }

    var session: Session? { rules.withLock { $0.machine.session } }

    /// Applies a transition, publishes what it changed under the same lock, and carries out the rest after it.
    @discardableResult
    func apply<Value: Sendable>(_ transition: @Sendable (inout Rules, inout Effects) -> Value) -> Value {
        let (value, state, events, superseded) = rules.withLock { rules in
            let before = rules.machine.state
            var effects = Effects()
            let value = transition(&rules, &effects)
            let after = rules.machine.state
            let state = after == before ? nil : stateBroadcast.link(after)
            return (value, state, effects.events.compactMap(eventBroadcast.link), effects.superseded)
        }
        superseded?.supersession.resolve(())
        state?.wakeReaders()
        for event in events { event.wakeReaders() }
        return value
    }

    /// Publishes an event that belongs to no transition.
    func publish(_ event: AuthEvent) {
        apply { _, effects in effects.events.append(event) }
    }

    /// Writes what is present to the store: the session, or nothing.
    ///
    /// Whoever comes last writes the present, so a write that was decided earlier cannot come after it.
    func persist() async throws(AuthError) {
        try await storeGate.run { () async throws(AuthError) in try await writePresent() }
    }

    /// Writes what is owed to the store, if that works by now.
    func catchUp() async {
        // A failure keeps the store behind, and is told as an event.
        if apply({ rules, _ in rules.isStoreBehind }) { try? await persist() }
    }

    /// Writes what is present. Only inside ``storeGate``.
    ///
    /// After a failure the store is behind, and the next chance to read it is used to write it instead.
    func writePresent() async throws(AuthError) {
        let (kept, isUnread) = apply { rules, _ in (rules.machine.kept, rules.machine.isUnread) }
        do throws(AuthError) {
            if let kept {
                try await store.write(SessionRecord(kept).data(), for: .session)
            } else if !isUnread {
                try await forget()
            }
            apply { rules, _ in rules.isStoreBehind = false }
        } catch {
            apply { rules, effects in
                rules.isStoreBehind = true
                effects.events.append(AuthEvent(.storageFailed, error: error.code))
            }
            throw error
        }
    }

    /// Removes the record. What another SDK left is older than what ends here, so it is not taken up after it either.
    ///
    /// Only inside ``storeGate``.
    func forget() async throws(AuthError) {
        var failure: AuthError?
        if leftBehind != nil {
            // First, or a crash in between would leave an empty store without it. A failure keeps no session stored.
            do throws(AuthError) { try await markTaken() } catch { failure = error }
        }
        try await store.remove(.session)
        if let failure { throw failure }
    }
}
