/// What ends a session: the person, the provider, the account's deletion, and the server's refusal of its tokens.
///
/// Besides these, a sign-in takes its place, and a later decision of another process does, as ``PendingWrite`` says. A stored
/// session of another server ends at the launch. One whose record another process damaged ends when its tokens are to be replaced;
/// see ``observed(_:toReplaceTokens:at:)``.
extension SessionStateMachine {
    // MARK: The person

    /// The person signs out. A sign-in under way ends, and so does the session, also one whose sign-in is being written.
    ///
    /// Before the store was read, the session that it holds ends, too, by the first reading. ``StorageStateMachine/takeUnseen()``
    /// returns it then.
    ///
    /// - Returns: The session that ended; `nil` when none was present or being adopted.
    package mutating func signOut() -> AuthSession? {
        supersedeSignIn()
        let user = user?.id ?? storage.pending?.next?.userID
        let adopted = storage.pending.flatMap { $0.kind == .adoption ? $0.next?.ended : nil }
        decide(PendingWrite(.signOut(of: user), ending: []))
        operations.dropCommitted()
        return end(.user) ?? adopted
    }

    /// A decision is made, which also ends the session that is present and what was decided before.
    mutating func decide(_ decision: PendingWrite) {
        storage.decide(decision, over: kept?.id, isUnread: isUnread)
    }

    /// Ends all sessions of a user, unless they signed in again since the call.
    ///
    /// - Parameter request: What the caller saw when it was called.
    /// - Returns: The session that ended; `nil` when no user was signed in. `superseded` when another user is signed in, or the
    ///   person signed in since.
    package mutating func signedOutEverywhere(
        _ request: SignOutRequest, at now: Timestamp
    ) -> Result<EndedSession?, AuthError> {
        // Another session is a later decision of the person: one that was committed here, also before it is shown, or one that
        // another process stored.
        guard decidedID == signOutRequest(since: request).session else {
            return decidedID == nil ? .success(nil) : .failure(.superseded)
        }
        guard let active else { return .success(nil) }
        let isConsumed = active.refresh.operation != nil || active.session == nil && active.kept.isSent
        let isOver = active.lifetime.isOver(at: now.uptime)
        return .success(
            signOut().map {
                EndedSession(session: $0, kept: active.kept, isConsumed: isConsumed, isOver: isOver)
            })
    }

    /// The session that was decided last, also before it is shown.
    private var decidedID: SessionID? { storage.pending.map { $0.next?.id } ?? kept?.id }

    /// What a caller sees that signs out everywhere now.
    package var signOutRequest: SignOutRequest {
        SignOutRequest(session: decidedID, isKnown: !isUnread, lastCommit: operations.lastCommit)
    }

    /// What a sign-out everywhere ends that was asked for earlier. Before the store was read, it is what is found, unless a sign-in
    /// was committed since the call, which comes after it.
    package func signOutRequest(since earlier: SignOutRequest) -> SignOutRequest {
        guard !earlier.isKnown else { return earlier }
        let isLater = operations.lastCommit != earlier.lastCommit
        return SignOutRequest(
            session: isLater ? earlier.session : decidedID, isKnown: !isUnread, lastCommit: earlier.lastCommit)
    }

    // MARK: The provider and the account

    /// The person of a session withdrew the app's access at its provider. A sign-in under way continues.
    ///
    /// - Returns: The session that ended; `nil` when another one is present by now, or a deletion of the account is under way,
    ///   which withdraws the access itself.
    package mutating func accessRevoked(by identity: ProviderIdentity) -> AuthSession? {
        guard identity == providerIdentity, !operations.isDeleting(identity.user) else { return nil }
        // A sign-in that is being written takes the session's place already.
        if storage.pending?.next.map({ $0.id == identity.session }) ?? true {
            decideEnd(.revocation)
        }
        return end(.revokedAtProvider)
    }

    /// The server deleted the account of a change. A sign-in under way continues.
    ///
    /// - Returns: Whether its user was signed in.
    package mutating func accountDeleted(by change: AccountChange) -> Bool {
        // Its own success does not interrupt the deletion.
        operations.end(change)
        guard user?.id == change.userID else { return false }
        // Another user's sign-in that is being written takes the session's place already.
        if storage.pending?.next.map({ $0.userID == change.userID }) ?? true {
            if storage.pending?.isSignIn == true { operations.dropCommitted() }
            decide(PendingWrite(.signOut(of: change.userID), ending: []))
        }
        end(.deleted)
        return true
    }

    // MARK: The server

    /// A terminal rejection of a refresh: the session is over. It says nothing about newer tokens of another process. A sign-in
    /// under way continues.
    ///
    /// - Returns: Whether it ended the session: not one that a decision replaces, or that has another refresh token. Then the caller
    ///   persists that, and finishes the refresh.
    package mutating func refreshRejected(
        _ request: RefreshRequest, _ reason: SignOutReason, because error: AuthError, at now: Duration
    ) -> Bool {
        defer { storage.tokenConsumed(request.stage) }
        guard let kept, holdsRefreshToken(of: request),
            storage.pending.map({ $0.next?.id == kept.id }) ?? true
        else { return false }
        decideEnd(.refusal(revision: kept.stage.revision))
        updateActive { $0.refresh = RefreshState() }
        emit(request.event(.refreshRefused, adopting: .adoptionRefused, failure: error, at: now))
        // Also where the user is not known, the reason is shown.
        if end(reason, because: error) == nil { state = .signedOut(reason) }
        return true
    }

    // MARK: The end

    /// One session ends, without the person's decision.
    private mutating func decideEnd(_ kind: PendingWrite.Kind) {
        switch storage.pending?.kind {
        // It was never stored. The one before does not come back by its end.
        case .signIn?, .resumedSignIn?, .adoption?: decide(PendingWrite(.signOut(of: nil), ending: []))
        default: decide(PendingWrite(kind, ending: []))
        }
    }

    /// Ends the session, if there is one.
    @discardableResult
    mutating func end(_ reason: SignOutReason, because error: AuthError? = nil) -> AuthSession? {
        guard let ended = kept?.ended else {
            // A sign-out without a session keeps the reason that is shown.
            enter(.signedOut(endReason))
            return nil
        }
        enter(.signedOut(reason))
        emit(
            AuthEvent(
                .signedOut, provider: ended.provider, failure: error.map(AuthEvent.Failure.of),
                details: .signedOut(reason)
            ))
        return ended
    }
}

/// What a caller that signs out everywhere saw when it was called.
package struct SignOutRequest: Hashable, Sendable {
    /// The session that was decided last; `nil` for none.
    fileprivate let session: SessionID?
    /// Whether it was known who is signed in. Otherwise it applies to the session that is found.
    let isKnown: Bool
    /// The last sign-in that was committed at the call.
    fileprivate let lastCommit: UInt64
}

/// A session that a sign-out everywhere ended.
package struct EndedSession: Sendable {
    /// What the server is told of: without an access token before an adoption.
    let session: AuthSession
    let kept: KeptSession
    /// Whether its refresh token was sent, in a request that the sign-out interrupted or whose answer was lost.
    let isConsumed: Bool
    /// Whether its access token has expired, by a clock that setting the date does not change.
    let isOver: Bool
}
