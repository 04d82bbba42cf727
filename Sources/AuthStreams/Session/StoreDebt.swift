import Foundation

/// What is present here while the store does not hold it: decided, and not written yet.
///
/// Another process may write in between. What the debt is about decides whose word counts then.
struct StoreDebt: Equatable, Sendable {
    enum Cause: Equatable, Sendable {
        /// The session that the store holds was refreshed or changed, or one is to be adopted.
        case change
        /// This user signed in at that time.
        case signIn(of: AuthUser.ID, at: Moment)
        /// The person signed out at that time, who was signed in as that user. If the store does not hold that sign-in,
        /// `signedIn` is when it was: it took the place of every session stored until then, and of none stored later.
        case signOut(of: AuthUser.ID?, at: Moment, signedIn: Moment? = nil)
        /// The server ended the session.
        case refusal
    }

    let cause: Cause
    /// Whether the store was asked and failed. Until then the write waits for its turn.
    var hasFailed = false
    /// A refresh token whose answer was read here. The store may hold it still, and no process must send it again.
    var spentToken: Secret?

    /// Whether what another process wrote counts, and not what is present here.
    ///
    /// - Parameters:
    ///   - theirs: What they wrote; `nil` for nothing.
    ///   - known: What the store held before that, where this process has seen it.
    ///   - adopting: The refresh token of the session to adopt, if one is present here.
    ///   - now: The present.
    func yields(
        to theirs: SessionRecord?, after known: KnownRecord?, adopting: Secret? = nil, at now: Moment
    ) -> Bool {
        guard let theirs else { return cause == .change }
        guard case .established(let session)? = theirs.kept else {
            // A session to adopt is older than every decision. Another process adopts the same one, and may have noted a request.
            return cause == .change && adopting != nil && theirs.kept?.refreshToken == adopting
        }
        // Newer tokens of a sign-in that the store was seen to hold are no later sign-in, even if the clock was set since.
        let isKnown = known?.holds(signIn: theirs.signedInAt, of: session.user.id) ?? false
        func isLater(than moment: Moment) -> Bool { !isKnown && theirs.beganAfter(moment, by: now) }
        return switch cause {
        // Another process may write what it holds anew, which is older than what the spent token brought.
        case .change: spentToken == nil || session.refreshToken != spentToken
        // Newer tokens of this sign-in, or a later sign-in.
        case .signIn(let user, let signIn):
            theirs.signedInAt == signIn.date && user == session.user.id || isLater(than: signIn)
        // The sign-out ends the session of the user who was seen to be signed in, whatever its tokens are by now.
        case .signOut(let user, let signOut, let signIn):
            isLater(than: signOut)
                || user != session.user.id
                    && (signIn.map(isLater(than:)) ?? false
                        || known.map { $0.isSomebody && $0.userID != session.user.id } ?? false)
        // The server's no is about one session alone.
        case .refusal: known.map { !$0.holds(session) } ?? false
        }
    }
}

/// What the store was seen to hold.
struct KnownRecord: Sendable {
    let stored: StoredRecord

    /// The bytes; `nil` for no record.
    var data: Data? { stored.data }

    private var record: SessionRecord? { data.flatMap { try? SessionRecord(reading: $0) } }
    private var kept: KeptSession? { record?.kept }

    /// Whether it is a session's record, and can be read.
    var hasSession: Bool { kept != nil }

    /// Whether it is a session's record, of this version of the library or a newer one.
    var isWhole: Bool {
        guard let data else { return false }
        do throws(SessionRecord.Problem) { _ = try SessionRecord(reading: data) } catch {
            if case .damaged = error { return false }
        }
        return true
    }

    /// Whose session it is, where it says so.
    var userID: AuthUser.ID? {
        switch kept {
        case .established(let session)?: session.user.id
        case .adoptable(let session)?: session.user?.id
        case nil: nil
        }
    }

    /// Whether it says whose it is, nobody's included: what is to be adopted need not.
    fileprivate var isSomebody: Bool {
        switch kept {
        case .established?: true
        case .adoptable(let session)?: session.user != nil
        case nil: data == nil
        }
    }

    /// Whether it is of that sign-in.
    fileprivate func holds(signIn date: Date?, of user: AuthUser.ID) -> Bool {
        userID == user && record?.signedInAt == date
    }

    fileprivate func holds(_ session: Session) -> Bool {
        guard case .established(let own)? = kept else { return false }
        return own.user.id == session.user.id && own.refreshToken == session.refreshToken
            && own.accessToken == session.accessToken
    }
}

extension SessionManager.Rules {
    /// Something was decided that the store is to hold.
    mutating func owe(_ cause: StoreDebt.Cause) {
        // Where an older debt is open still, that says more: what was changed is not in the store at all.
        if cause == .change, debt != nil { return }
        var cause = cause
        switch (cause, debt?.cause) {
        // A sign-out of nobody adds nothing to the end of a session.
        case (.signOut(nil, _, _), .signOut?), (.signOut(nil, _, _), .refusal?): return
        // A sign-in that was never stored ends. The user before does not come back by it.
        case (.refusal, .signIn(let user, let signIn)?): cause = .signOut(of: user, at: signIn)
        case (.signOut(let user, let signOut, _), .signIn(_, let signIn)?):
            cause = .signOut(of: user, at: signOut, signedIn: signIn)
        default: break
        }
        debt = StoreDebt(cause: cause, spentToken: debt?.spentToken)
    }

    /// A write failed. It is tried again by itself, ever more seldom, and at each chance.
    ///
    /// - Returns: How long nobody tries by itself.
    @discardableResult
    mutating func storeFailed(_ error: AuthError, at uptime: Duration) -> Duration {
        owe(.change)
        debt?.hasFailed = true
        return storeRetry.failed(error, spreadBy: machine.session?.refreshToken, at: uptime)
    }

    /// The answer to a refresh token was read. If the store holds that token still, no process must send it again.
    mutating func tokenWasSpent(_ token: Secret?) {
        if let token { debt?.spentToken = token }
    }

    /// The store holds what is present.
    mutating func storeSettled() {
        debt = nil
        storeRetry = RefreshRetry()
        machine.wasStored()
    }

    /// The record was read. A write that failed may have landed all the same: then what another process does afterwards is not
    /// undone by writing again.
    mutating func noteRead(_ stored: StoredRecord) {
        found = stored
        defer { tried = [] }
        guard tried.contains(stored.data) else { return }
        known = KnownRecord(stored: stored)
        // A removal may lack its mark for other SDKs, and is repeated.
        guard let record = stored.data.flatMap({ try? SessionRecord(reading: $0) }) else { return }
        if record == machine.record(at: .distantPast) { return storeSettled() }
        // Another process may have written the same mark, so it is kept.
        var noted = machine
        noted.isUnanswered = true
        if record == noted.record(at: .distantPast) { machine = noted }
    }

    /// The record was read, to follow what other processes wrote.
    ///
    /// - Returns: Whether another process wrote it.
    mutating func isNews(_ stored: StoredRecord) -> Bool {
        noteRead(stored)
        // An empty store of another version is one from which another process removed a session.
        guard stored.data == known?.data,
            stored.data != nil || stored.version == known?.stored.version ?? stored.version
        else { return true }
        known = KnownRecord(stored: stored)
        return false
    }

    /// Whether the person signed in or out, and the store does not say so yet.
    var isDecisionOwed: Bool {
        switch debt?.cause {
        case .signIn?, .signOut?: true
        case .change?, .refusal?, nil: false
        }
    }

    /// When what is owed is written without anybody asking; `nil` for not at all.
    var storeDue: Duration? { debt?.hasFailed == true ? storeRetry.notBefore : nil }

    /// Whether the store may hold this refresh token, so that another process or launch may send it.
    func storeMayHold(_ token: Secret?) -> Bool {
        guard debt != nil else { return true }
        return ([known?.data, found?.data] + tried).contains { data in
            data.flatMap { try? SessionRecord(reading: $0) }?.kept?.refreshToken == token
        }
    }
}

extension SessionRecord {
    fileprivate func beganAfter(_ moment: Moment, by now: Moment) -> Bool {
        moment.precedes(signInAt: signedInAt, savedAt: savedAt, by: now)
    }
}

extension SessionMachine {
    /// Whether the user signed in after a moment.
    func beganAfter(_ moment: Moment, by now: Moment) -> Bool {
        moment.precedes(signInAt: signedInAt, savedAt: savedAt, by: now)
    }
}

extension Moment {
    /// Whether a sign-in came after this moment, by the device's clock, which may have been set since either.
    fileprivate func precedes(signInAt: Date?, savedAt: Date?, by now: Moment) -> Bool {
        guard let signInAt else { return false }
        // This moment's date as the clock has it now. A date in the future is one of a clock that was wrong.
        return signInAt > now.date.addingTimeInterval(-((now.uptime - uptime) / .seconds(1)))
            && max(signInAt, savedAt ?? signInAt) <= now.date
    }
}
