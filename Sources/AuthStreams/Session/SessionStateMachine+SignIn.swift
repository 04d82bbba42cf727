/// The rules of signing in.
extension SessionStateMachine {
    /// A sign-in begins, and supersedes the one under way.
    package mutating func signInBegan(
        with provider: ProviderID, at step: AuthState.SignInStep, _ now: Duration
    ) -> SignInOperation {
        began(.person, with: provider, at: step, now)
    }

    /// The sign-in of an earlier process is resumed, unless the person has done something since that it would undo. It supersedes
    /// a resumed one of the same provider that asks the person before its credential is sent, such as for the address of an earlier
    /// link.
    ///
    /// - Parameter user: Who was signed in when it began.
    package mutating func signInResumed(
        with provider: ProviderID, replacing user: AuthUser.ID?, at step: AuthState.SignInStep, _ now: Duration
    ) -> SignInOperation? {
        guard operations.allowsResumedSignIn(with: provider), allows(.answer(replacing: user)) else { return nil }
        return began(.answer(replacing: user), with: provider, at: step, now)
    }

    /// The session of a sign-in is about to be written, by the reading that was made right before: from here on it is the person's
    /// decision.
    ///
    /// - Parameter id: The name of the session.
    /// - Returns: Whether it may be: not when another sign-in or a sign-out superseded it.
    package mutating func committed(
        _ operation: SignInOperation, _ session: AuthSession, as id: SessionID, at now: Timestamp
    ) -> Bool {
        guard allows(operation.subject), operations.commit(operation) else { return false }
        let kind: PendingWrite.Kind =
            switch operation.subject {
            case .answer(let user): .resumedSignIn(replacing: user)
            case .person: .signIn
            }
        let next = KeptSession(.established(session), at: KeptSession.Stage(id: id), savedAt: now.date)
        decide(PendingWrite(kind, ending: [], next: next))
        storage.beginWriting()
        return true
    }

    private func allows(_ origin: SignInOrigin) -> Bool {
        guard case .answer(let user) = origin else { return true }
        return switch state {
        case .signedIn(let active): active.user != nil && active.user?.id == user
        case .signedOut: user == nil
        case .restoring: false
        }
    }

    private mutating func began(
        _ origin: SignInOrigin, with provider: ProviderID, at step: AuthState.SignInStep, _ now: Duration
    ) -> SignInOperation {
        supersedeSignIn()
        let operation = operations.beginSignIn(origin, with: provider, at: step, now)
        stopUnwantedChanges()
        // Readers were shown the reason of the last sign-out.
        if case .signedOut = state { state = .signedOut(nil) }
        emit(operation.event(.signInStarted, at: now))
        emit(operation.event(.signInStep, at: now, step: step))
        return operation
    }

    /// Ends the sign-in under way, unless its session is being written.
    mutating func supersedeSignIn() {
        guard let signIn = operations.interruptible else { return }
        operations.end(signIn)
        add(.interrupt(signIn.interruption, .superseded))
    }

    /// A sign-in has come to a step.
    package mutating func reached(_ step: AuthState.SignInStep, in operation: SignInOperation, at now: Duration) {
        if operations.reach(step, operation) { emit(operation.event(.signInStep, at: now, step: step)) }
    }

    /// A sign-in ended without a session.
    ///
    /// - Returns: The error with provider and step.
    package mutating func signInFailed(_ operation: SignInOperation, _ error: AuthError, at now: Duration) -> AuthError
    {
        let located = error.located(provider: operation.provider, step: operations.end(operation)).during(.signIn)
        emit(operation.event(.signInFailed, at: now, step: located.step, failure: error))
        return located
    }

    /// The session of a sign-in was written, or could not be: from here on it is shown.
    mutating func signedIn(
        _ kept: KeptSession, _ session: AuthSession, by operation: SignInOperation, at now: Timestamp
    ) {
        operations.complete(operation)
        enter(.signedIn(ActiveSession(kept: kept, lifetime: TokenLifetime(of: session, at: now), isConfirmed: true)))
        gate.proven(at: now.uptime)
        emit(
            AuthEvent(
                .signInSucceeded, provider: operation.provider, elapsed: now.uptime - operation.startedAt,
                details: .signedIn(operation.attempt(), isNewUser: session.isNewUser)))
        learnClockSkew(from: session, at: now)
    }
}

/// The rules of adopting the session of another SDK. From then on it is refreshed as any other.
extension SessionStateMachine {
    /// A session of another SDK is to be adopted. It is shown once it is stored, or the store has failed.
    ///
    /// - Parameter found: The record that was read before, if the app was asked at launch.
    /// - Returns: Whether it is to be stored: not while a user is signed in, nor a second time while it is under way, nor at a
    ///   launch where the person signed in or out meanwhile. One whose user is not known supersedes another such one.
    package mutating func adoptionDecided(_ adoptable: AdoptableSession, after found: RecordSnapshot? = nil) -> Bool {
        guard found == nil || isUnread, user == nil, storage.pending?.next?.session == nil else { return false }
        if kept?.refreshToken == adoptable.refreshToken {
            // The app asks for one that had stalled. Where only callers begin a request, one that fails would not end the launch screen.
            if refreshPolicy == .aheadOfExpiry { setStalled(false) }
            return false
        }
        var id = SessionID(adopting: adoptable)
        // A session of the same token ended here, and the app asks for it all the same.
        if found == nil, storage.history.ended.contains(id) { id = .random() }
        if let found { storage.read(found) }
        let next = KeptSession(.adoptable(adoptable), at: KeptSession.Stage(id: id), isFoundAtLaunch: found != nil)
        // Also at a launch, where the state is still restoring, the record was read before.
        storage.decide(PendingWrite(.adoption, ending: [], next: next), over: kept?.id)
        if found != nil { storage.beginWriting() }
        return true
    }

    /// Whether that session is present, and was not adopted yet.
    func isAdopting(_ id: SessionID) -> Bool { kept?.id == id && session == nil }

    /// The other SDK has discarded its copy of a session.
    ///
    /// - Parameter found: The record. What another process wrote into it is taken over, since it counts as known once it is
    ///   written.
    /// - Returns: The record that says so; `nil` where it says so already, or must not be written.
    mutating func copyDiscarded(over found: RecordSnapshot, at now: Timestamp) -> SessionRecord? {
        guard !isUnread, case .success = observed(found, at: now), var record = found.record,
            !record.history.isDiscarded
        else { return nil }
        record.history.isDiscarded = true
        return record
    }
}
