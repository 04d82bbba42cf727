import Foundation

/// The rules of a session: who is signed in, which answers still count, and what the store is to hold.
///
/// Each method reports one fact. It changes the state and adds the effects, which the manager performs. The machine never waits,
/// reads no clock and knows no task.
///
/// ```
/// restoring ──┬──▶ signedOut(reason) ◀──╮
///             ╰──▶ signedIn ────────────╯  sign-out, terminal rejection, another process
///
/// signedIn:  idle ──▶ running ──▶ idle           the refresh; one for all callers
///             ▲        │    ▲
///             │        ▼    │
///             ╰────── waiting(retry at)          while refreshes fail
/// ```
///
/// An adoptable session, which another SDK stored, has no access token. Its first refresh adopts it.
///
/// An answer that belongs to another session than the present one, to tokens that were replaced, or to an operation that was
/// superseded, changes nothing. What the store is to hold is decided by ``PendingWrite``.
package struct SessionStateMachine: Sendable {
    /// What the manager does for a fact.
    package struct Effects: Sendable {
        /// The events to publish, in order.
        package fileprivate(set) var events: [AuthEvent] = []
        /// What to do once the state is published, in order.
        package fileprivate(set) var actions: [Action] = []
    }

    package enum Action: Sendable {
        /// Stop an operation that a person has under way.
        case interrupt(Promise<AuthError>, AuthError)
        /// Stop a refresh whose session is over, and tell its callers.
        case supersede(RefreshOperation)
        case finish(RefreshOperation, Result<Secret, AuthError>)
        case release(SessionStoreLock)
        /// Ask the person whether the session may be used.
        case ask(GateQuestion)
        case endQuestion(GateQuestion, GateQuestion.Outcome)
    }

    package var state = SessionState.restoring(.reading)
    package var storage = StorageStateMachine()
    package var operations = Operations()
    package var gate: GateStateMachine
    /// When tokens are requested.
    package private(set) var refreshPolicy: RefreshPolicy
    /// Whether the app may have the session of another SDK.
    package let adopts: Bool
    /// How far the server's clock is ahead of the device's, as last reported.
    private var clockSkew: Duration?
    private var effects = Effects()

    mutating func add(_ action: Action) { effects.actions.append(action) }

    @inline(never)  // Not repeated in each of its callers.
    mutating func emit(_ event: AuthEvent) { effects.events.append(event) }

    /// A machine that knows nothing yet.
    package init(
        refreshPolicy: RefreshPolicy = .aheadOfExpiry, adopts: Bool = false, gate: GateStateMachine = GateStateMachine()
    ) {
        (self.refreshPolicy, self.adopts, self.gate) = (refreshPolicy, adopts, gate)
    }

    /// The effects of the facts since the last call, in order.
    package mutating func takeEffects(at now: Duration = .zero) -> Effects {
        settleGate(at: now)
        defer { effects = Effects() }
        return effects
    }

    /// Stops the changes of a user who is no longer signed in, and those that a newer operation supersedes.
    mutating func stopUnwantedChanges() {
        let (over, superseded) = operations.removeUnwantedChanges(of: user?.id)
        for change in over { add(.interrupt(change.interruption, .sessionOver(endReason))) }
        for change in superseded { add(.interrupt(change.interruption, .superseded)) }
    }

    /// Replaces or ends the session. What was under way for the one before does not concern the next.
    mutating func enter(_ next: SessionState) {
        if let active, let refresh = active.refresh.operation {
            add(.supersede(refresh))
            // The beginning of an adoption is not reported by its requests.
            if let session = active.session {
                emit(AuthEvent(.refreshFailed, provider: session.provider, failure: .of(.superseded)))
            }
        }
        state = next
        storage.tokenReleased()
        stopUnwantedChanges()
    }

    // MARK: Projections

    /// What readers are shown: `signingIn` exists only while no user is signed in.
    ///
    /// Not inlined: every transition asks for it.
    @inline(never)
    package var authState: AuthState {
        if user == nil, let signIn = operations.signIn, let provider = signIn.operation.provider {
            return .signingIn(provider, signIn.step)
        }
        return isUserHidden ? .restoring(.waitingForPerson) : state.shown
    }

    @inline(never)
    package var active: ActiveSession? { if case .signedIn(let active) = state { active } else { nil } }

    /// The session that is present; `nil` also for one of another SDK before its adoption.
    package var session: AuthSession? { active?.session }

    /// Who is signed in, as far as it is known.
    @inline(never)
    package var user: AuthUser? { active?.user }

    /// The identity that the session began with; `nil` when there is none, or the server has not told the person's identifier
    /// at the provider.
    package var providerIdentity: ProviderIdentity? {
        guard let active, let session = active.session,
            let userID = session.user.providers.first(where: { $0.id == session.provider })?.userID
        else { return nil }
        return ProviderIdentity(
            session: active.stage.id, user: session.user.id, provider: session.provider, userID: userID)
    }

    /// The session that is present, as a store should hold it.
    @inline(never)
    package var kept: KeptSession? { active?.kept }

    /// Whether it is not known what the store holds: an empty memory says nothing about it.
    package var isUnread: Bool { if case .restoring = state { true } else { false } }

    /// Why the last session ended.
    var endReason: SignOutReason? { if case .signedOut(let reason) = state { reason } else { nil } }

    // MARK: Restoring

    /// The store was read, unless something was decided meanwhile. A damaged record counts as none.
    package mutating func restored(_ found: RecordSnapshot, at now: Timestamp, since begin: Duration) {
        guard isUnread else { return }
        storage.read(found)
        show(found.ownSession, at: now)
        if isUnread { state = .signedOut(found.isOwned ? nil : .expired) }
        emit(AuthEvent(.restored, elapsed: now.uptime - begin))
        // No token of it is sent, so no answer is waited for.
        guard !found.isOwned, let foreign = found.session else { return }
        emit(
            AuthEvent(
                .signedOut, provider: foreign.session?.provider, failure: .of(.anotherServers),
                details: .signedOut(.expired)))
        storage.decide(
            PendingWrite(.refusal(revision: foreign.stage.revision), ending: [foreign.id]), over: nil)
    }

    /// The store, or the adoptable session, could not be read. That is not empty.
    package mutating func restoreFailed(
        _ error: AuthError, _ policy: ReadFailurePolicy, at now: Duration, since begin: Duration
    ) {
        switch error.code {
        case .storageLocked:
            if case .restoring(.reading) = state { state = .restoring(.waitingForUnlock) }
            emit(AuthEvent(.storageLocked, elapsed: now - begin))
        case .cancelled: break
        default:
            if isUnread, policy == .showSignedOut { state = .restoring(.failing) }
            emit(AuthEvent(.storageFailed, failure: .of(error), elapsed: now - begin))
        }
    }

    // MARK: Changes of the account

    /// A change begins; `nil` when another user is signed in by now.
    package mutating func changeBegan(
        _ kind: AuthOperation, with provider: ProviderID?, of user: AuthUser.ID, at now: Duration
    ) -> AccountChange? {
        guard self.user?.id == user else { return nil }
        let change = operations.beginChange(kind, of: user, with: provider, now)
        emit(change.event(.changeStarted, at: now))
        return change
    }

    /// A change has come to a step. One that asks the person supersedes what asked them before.
    package mutating func reached(_ step: AuthState.SignInStep, in change: AccountChange, at now: Duration) {
        guard operations.reach(step, change) else { return }
        if step == .presenting || step == .waitingForAnswer,
            operations.interruptible.map({ $0.id < change.id }) ?? false
        {
            supersedeSignIn()
        }
        stopUnwantedChanges()
        emit(change.event(.changeStep, at: now, step: step))
    }

    /// A change ended.
    ///
    /// - Returns: The error with provider and step; `nil` for a success.
    package mutating func changeEnded(_ change: AccountChange, _ error: AuthError?, at now: Duration) -> AuthError? {
        let step = operations.end(change)
        guard let error else {
            emit(change.event(.changeSucceeded, at: now))
            return nil
        }
        emit(change.event(.changeFailed, at: now, step: error.step ?? step, failure: error))
        return error.located(provider: change.provider, step: step)
    }

    // MARK: Parts

    /// From now on tokens are requested on demand only. Where that leaves a user unknown, the launch screen does not wait for them.
    package mutating func requestsOnDemand(at now: Timestamp) {
        refreshPolicy = .onDemand
        guard user == nil, let active else { return }
        if active.refresh.outage == nil {
            let outage = RefreshState.Outage(backoff: Backoff(of: .adoption(isUserKnown: false)), since: now.date)
            updateActive { $0.refresh.outage = outage }
        }
        setStalled(true)
    }

    mutating func setStalled(_ isStalled: Bool) { updateActive { $0.refresh.outage?.isStalled = isStalled } }

    /// Changes the session of the user who is signed in, in place.
    @inline(never)
    mutating func updateActive(_ change: (inout ActiveSession) -> Void) {
        guard case .signedIn(var active) = state else { return }
        // The copy is the only one while it is changed.
        state = .signedOut(nil)
        change(&active)
        state = .signedIn(active)
    }

    package mutating func setSent(_ isSent: Bool) {
        updateActive { $0.kept.isSent = isSent }
        // A write that is retried while the token is under way stores its mark.
        if let stage = storage.pending?.next?.stage, holds(stage) { storage.pending?.next?.isSent = isSent }
    }

    /// Compares the server's clock, which has whole seconds, with the device's.
    mutating func learnClockSkew(from session: AuthSession, at now: Timestamp) {
        guard let issuedAt = session.issuedAt else { return }
        // A record may have any date, and a duration of one out of range traps.
        let limit = TimeInterval(Int32.max)
        let skew = Duration.seconds(min(max(issuedAt.timeIntervalSince(now.date).rounded(), -limit), limit))
        let change = skew - (clockSkew ?? .zero)
        guard max(change, .zero - change) > .seconds(2) else { return }
        clockSkew = skew
        emit(AuthEvent(.clockSkewLearned, details: .clockSkew(skew)))
    }
}

extension AuthError {
    @inline(never)
    static var superseded: Self {
        AuthError(.superseded, "A newer sign-in or a sign-out took this attempt's place.")
    }

    fileprivate static var anotherServers: Self {
        AuthError(.sessionExpired, "The stored session is of another server than the configured one. Sign in again.")
    }

    static var notSignedIn: Self {
        AuthError(.notSignedIn, "No user is signed in, so nothing was asked or sent. Sign in first.")
    }

    /// Why a change of a session that is over ends: by the person's own decision, or by what the server said.
    fileprivate static func sessionOver(_ reason: SignOutReason?) -> Self {
        switch reason {
        case .deleted: AuthError(.userNotFound, "The account was deleted while it was being changed.")
        case .disabled: AuthError(.userDisabled, "The account was disabled while it was being changed.")
        case .expired, .revoked, .revokedAtProvider, .refreshInterrupted, .keyLost:
            AuthError(.sessionExpired, "The session ended while the account was being changed. Sign in again.")
        case .user, .elsewhere, nil: .superseded
        }
    }
}
