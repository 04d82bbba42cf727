import Foundation

/// The rules of a session: who is signed in, and which answers still count. Facts in, events out.
///
/// ```
///              attemptBegan            sessionEstablished
/// restoring ──┐    ╭───╮                    ╭───╮
///             ├── signedOut ── signingIn ── signedIn ──╮
/// restored ───┘    ▲                                   │ signedOut(reason)
///                  ╰───────────────────────────────────╯
///
/// signedIn:  verified ◀── refreshed ── cached (restored)
///            verified ── refreshFailed ──▶ offline ── refreshed ──▶ verified
/// ```
///
/// Every session has a generation, and whatever replaces or ends one starts the next. An answer that belongs to an
/// older generation, or to an attempt that is no longer the present one, changes nothing.
struct SessionMachine {
    struct Attempt: Equatable {
        let id: UInt64
        let provider: ProviderID
        var step: AuthState.SignInStep
    }

    var session: Session?
    /// A session that is being taken over from another SDK, until the server has decided about it.
    private(set) var adoption: AdoptableSession?
    private(set) var generation: UInt64 = 0
    var attempt: Attempt?
    /// The attempt whose session is being written: from here on only a sign-out takes its place.
    private var committed: UInt64?
    /// How many sign-ins were committed so far.
    private(set) var commits: UInt64 = 0
    var freshness = AuthState.Freshness.verified
    /// How long the session's access token is good.
    var life = TokenLife.endless
    /// When the user signed in, by the device's clock; `nil` for a session that another SDK left.
    var signedInAt: Date?
    /// When the session's tokens were first stored, by the device's clock.
    var savedAt: Date?
    /// When a refresh that failed is tried again.
    var retry = RefreshRetry()
    /// Whether a refresh is under way.
    var isRefreshing = false
    /// Whether a refresh token was sent whose answer nobody has read: the journal of the refresh.
    var isUnanswered = false
    /// Whether the session was refreshed and the store still holds the one before.
    var isUnstored = false
    /// Whether the server could not be asked yet about the session to adopt.
    private(set) var isAdoptionDelayed = false
    private var reason: SignOutReason?
    private var restoring: AuthState.Restoring? = .reading
    /// Whether nothing is known yet of what storage holds: an empty memory says nothing about it.
    private(set) var isUnread = true
    private var attempts: UInt64 = 0

    /// Why the last session ended; `nil` while there is a session, and once the next sign-in has begun.
    var endReason: SignOutReason? { session == nil ? reason : nil }

    /// Whether there is something that a store should hold.
    var hasSession: Bool { session != nil || adoption != nil }

    /// What a store should hold; `nil` for nothing.
    func record(at now: Date) -> SessionRecord? {
        let kept = adoption.map(KeptSession.adoptable) ?? session.map(KeptSession.established)
        return kept.map {
            SessionRecord($0, isUnanswered: isUnanswered, signedInAt: signedInAt, savedAt: savedAt ?? now)
        }
    }

    /// What a store should hold of what takes the session's place, without a new sign-in.
    func record(of next: Session, isUnanswered: Bool, at now: Date) -> SessionRecord {
        SessionRecord(
            .established(next), isUnanswered: isUnanswered, signedInAt: signedInAt, savedAt: savedAt(of: next, at: now))
    }

    /// When the tokens of a session were first stored, which is what their lifetime counts from: now, unless they are the present
    /// ones.
    func savedAt(of next: Session, at now: Date) -> Date {
        session?.accessToken == next.accessToken ? savedAt ?? now : now
    }

    /// What readers are shown. `signingIn` exists only without a session, and `restoring` ends only with an answer.
    var state: AuthState {
        if let session { return .signedIn(session.user, freshness) }
        if let attempt { return .signingIn(attempt.provider, attempt.step) }
        if let restoring { return .restoring(restoring) }
        return .signedOut(reason)
    }

    /// Whether there is an answer to who is signed in, or there will be none before the network is back.
    var isDecided: Bool { if case .restoring = state { isAdoptionDelayed } else { true } }

    // MARK: Restoring

    /// Storage was read.
    ///
    /// - Returns: Whether the answer still counts: not after a sign-in or a sign-out.
    mutating func restored(_ record: SessionRecord?, at now: Moment, in generation: UInt64) -> Bool {
        guard generation == self.generation, isUnread else { return false }
        storageIsKnown()
        switch record?.kept {
        case .established(let session)?:
            replace(
                session, freshness: .cached, life: TokenLife(of: session, storedAt: record?.savedAt, at: now),
                signedInAt: record?.signedInAt, savedAt: record?.savedAt)
        case .adoptable(let adoption)?: _ = adoptionBegan(adoption, in: generation)
        case nil: break
        }
        isUnanswered = record?.isUnanswered ?? false
        return true
    }

    /// Storage is locked.
    mutating func restoringBlocked(in generation: UInt64) {
        if generation == self.generation, isUnread, restoring != nil { restoring = .waitingForUnlock }
    }

    /// Storage failed. Nobody is signed in as far as one can see, and a later reading still counts.
    mutating func restoringFailed(in generation: UInt64) {
        if generation == self.generation, isUnread { restoring = nil }
    }

    private mutating func storageIsKnown() {
        restoring = nil
        isUnread = false
    }

    // MARK: Signing in

    /// A sign-in begins, and takes the place of the one under way.
    mutating func attemptBegan(with provider: ProviderID, at step: AuthState.SignInStep) -> Attempt {
        let begun = Attempt(id: nextAttempt(), provider: provider, step: step)
        attempt = begun
        // Readers were shown it. After the attempt it would be news of the past.
        reason = nil
        return begun
    }

    /// The number of whatever the person begins now.
    mutating func nextAttempt() -> UInt64 {
        attempts += 1
        return attempts
    }

    /// - Returns: Whether this is news from the present attempt.
    mutating func attemptReached(_ step: AuthState.SignInStep, id: UInt64) -> Bool {
        guard attempt?.id == id, attempt?.step != step else { return false }
        attempt?.step = step
        return true
    }

    /// An attempt ended without a session.
    mutating func attemptEnded(id: UInt64) {
        if attempt?.id == id { attempt = nil }
    }

    /// The session of an attempt is about to be written.
    ///
    /// - Returns: Whether it counts: not when another attempt or a sign-out took its place.
    mutating func attemptCommits(id: UInt64) -> Bool {
        guard attempt?.id == id || committed == id else { return false }
        if committed != id { commits += 1 }
        committed = id
        return true
    }

    /// The session of an attempt was written.
    ///
    /// - Parameter now: When it was committed, which its record tells.
    /// - Returns: Whether it counts: not when a sign-out took its place since it was committed.
    mutating func sessionEstablished(_ session: Session, at now: Moment, by id: UInt64) -> Bool {
        guard committed == id else { return false }
        committed = nil
        if attempt?.id == id { attempt = nil }
        storageIsKnown()
        replace(
            session, freshness: .verified, life: TokenLife(of: session, at: now), signedInAt: now.date,
            savedAt: now.date)
        return true
    }

    // MARK: The end

    /// The session ends, and so does an attempt under way.
    ///
    /// - Returns: The session that ended.
    mutating func signedOut(_ reason: SignOutReason) -> Session? {
        let ended = session
        // Signing out when nobody is signed in keeps the reason that is shown.
        if ended != nil { self.reason = reason }
        session = nil
        adoption = nil
        attempt = nil
        committed = nil
        storageIsKnown()
        beginGeneration()
        return ended
    }

    /// The server's definite no to a refresh. A sign-in under way goes on.
    ///
    /// - Returns: Whether the answer still counts.
    mutating func refreshRefused(_ reason: SignOutReason, in generation: UInt64) -> Bool {
        guard generation == self.generation, session != nil, adoption == nil else { return false }
        session = nil
        self.reason = reason
        beginGeneration()
        return true
    }

    /// The server deleted the user's account. A sign-in under way goes on.
    ///
    /// - Returns: Whether it was the session's user.
    mutating func accountDeleted(_ userID: AuthUser.ID) -> Bool {
        guard session?.user.id == userID else { return false }
        session = nil
        adoption = nil
        reason = .deleted
        beginGeneration()
        return true
    }

    mutating func replace(
        _ session: Session, freshness: AuthState.Freshness, life: TokenLife, signedInAt: Date?, savedAt: Date?
    ) {
        self.session = session
        self.freshness = freshness
        adoption = nil
        reason = nil
        restoring = nil
        beginGeneration()
        self.life = life
        self.signedInAt = signedInAt
        self.savedAt = savedAt
    }

    /// Nothing that was under way for the session before concerns the next.
    private mutating func beginGeneration() {
        generation += 1
        life = .endless
        signedInAt = nil
        savedAt = nil
        retry = RefreshRetry()
        isRefreshing = false
        isUnanswered = false
        isUnstored = false
        isAdoptionDelayed = false
    }

    // MARK: Adopting

    /// A session that another SDK left is to be taken over.
    ///
    /// Where it is known whose it is, they are signed in from here on. Otherwise nobody knows yet, as before storage was
    /// read.
    ///
    /// - Returns: The generation of the adoption; `nil` when somebody is signed in, or the generation is over.
    mutating func adoptionBegan(_ adoption: AdoptableSession, in generation: UInt64) -> UInt64? {
        guard canAdopt(adoption, in: generation) else { return nil }
        storageIsKnown()
        if let placeholder = adoption.placeholder {
            replace(placeholder, freshness: .cached, life: .over, signedInAt: nil, savedAt: nil)
        } else {
            restoring = .adopting
            beginGeneration()
        }
        self.adoption = adoption
        return self.generation
    }

    /// The server could not be asked yet.
    mutating func adoptionDelayed(at date: Date, in generation: UInt64) {
        guard isAdopting(in: generation) else { return }
        isAdoptionDelayed = true
        guard session != nil else {
            restoring = .adopting
            return
        }
        if case .offline = freshness { return }
        freshness = .offline(since: date)
    }

    /// Asking again would not help. Nothing is lost, but where nobody is known, nobody is signed in as far as one can see.
    mutating func adoptionStalled(in generation: UInt64) {
        if isAdopting(in: generation) { restoring = nil }
    }

    /// The server took the session over.
    ///
    /// - Parameter isStored: Whether no other process or launch can find the token that it was taken over with.
    /// - Returns: Whether the answer still counts: not after a sign-in or a sign-out.
    mutating func adopted(
        _ session: Session, at now: Moment, isStored: Bool = true, in generation: UInt64
    ) -> Bool {
        guard isAdopting(in: generation), let adoption else { return false }
        storageIsKnown()
        replace(
            session, freshness: .verified, life: TokenLife(of: session, at: now), signedInAt: nil, savedAt: now.date)
        isUnstored = !isStored && adoption.refreshToken != session.refreshToken
        return true
    }

    /// The server's definite no. A sign-in under way goes on.
    ///
    /// - Returns: Whether the answer still counts.
    mutating func adoptionRefused(_ reason: SignOutReason, in generation: UInt64) -> Bool {
        guard isAdopting(in: generation) else { return false }
        storageIsKnown()
        session = nil
        adoption = nil
        self.reason = reason
        beginGeneration()
        return true
    }

    /// Whether the session may be taken over: not while somebody is signed in, nor a second time while it is under way.
    func canAdopt(_ adoption: AdoptableSession, in generation: UInt64) -> Bool {
        generation == self.generation && session == nil && self.adoption?.refreshToken != adoption.refreshToken
    }

    func isAdopting(in generation: UInt64) -> Bool { adoption != nil && generation == self.generation }
}
