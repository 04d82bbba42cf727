import Foundation

extension SessionManager {
    /// By what right a session becomes the present one.
    enum Claim {
        /// A sign-in, as long as no other and no sign-out took its place.
        case attempt(SignInAttempt)
        /// The adoption, as long as it is under way.
        case adoption(Adoption)

        /// Whether it may be another user's than the record's. What is to be adopted is the very session that was.
        var isOfAPerson: Bool {
            if case .attempt = self { true } else { false }
        }

        func event(_ kind: AuthEvent.Kind, at now: Duration, failure: AuthError? = nil) -> AuthEvent {
            switch self {
            case .attempt(let attempt): attempt.event(kind, at: now, failure: failure)
            case .adoption(let adoption): adoption.event(kind, at: now, failure: failure)
            }
        }
    }

    /// Stores a session and makes it the present one: on disk before any reader sees it.
    ///
    /// A sign-in is committed before it is written. From then on another sign-in comes after it and does not take its place, so
    /// the store never holds one that was superseded, and none has to be taken back.
    ///
    /// - Throws: `superseded` when another attempt or a sign-out took its place.
    func establish(_ session: Session, by claim: Claim) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            var begun = clock.moment
            // What is taken over from another SDK is older than what another process stored.
            let writing = await write(following: !claim.isOfAPerson) { _ in
                guard commit(claim) else { return nil }
                // Right before the write: where another process signs in as well, the order is that of the writes.
                begun = clock.moment
                return .record(
                    SessionRecord(
                        .established(session), isUnanswered: false,
                        signedInAt: claim.isOfAPerson ? begun.date : nil, savedAt: begun.date))
            }
            if case .unwanted = writing { throw dropped(claim) }
            guard makePresent(session, from: begun, by: claim, writing.failure) else { throw dropped(claim) }
            if writing.failure != nil, claim.isOfAPerson { await forgetReplacedUser() }
        }
    }

    /// - Returns: Whether the session is to be written.
    private func commit(_ claim: Claim) -> Bool {
        apply { rules, _ in
            switch claim {
            case .adoption(let adoption): return rules.machine.isAdopting(in: adoption.generation)
            case .attempt(let attempt):
                guard rules.machine.attemptCommits(id: attempt.id) else { return false }
                rules.attempt = nil
                return true
            }
        }
    }

    /// - Returns: `false` when the person signed out while it was written. The write of that follows.
    private func makePresent(
        _ session: Session, from begun: Moment, by claim: Claim, _ failure: AuthError?
    ) -> Bool {
        let moment = clock.moment
        let now = moment.uptime
        return apply { rules, effects in
            switch claim {
            case .attempt(let attempt):
                guard rules.machine.sessionEstablished(session, at: begun, by: attempt.id) else { return false }
                effects.events.append(claim.event(.signInSucceeded, at: now))
            case .adoption(let adoption):
                let isStored = failure == nil || !rules.storeMayHold(adoption.session.refreshToken)
                guard rules.machine.adopted(session, at: moment, isStored: isStored, in: adoption.generation) else {
                    return false
                }
                effects.events.append(claim.event(.adoptionSucceeded, at: now))
            }
            if let failure {
                rules.owe(claim.isOfAPerson ? .signIn(of: session.user.id, at: begun) : .change)
                var event = claim.event(.storageFailed, at: now, failure: failure)
                event.delay = rules.storeFailed(failure, at: now)
                effects.events.append(event)
                if case .adoption(let adoption) = claim { rules.tokenWasSpent(adoption.session.refreshToken) }
            } else {
                rules.storeSettled()
            }
            rules.learnSkew(from: session, at: moment, &effects)
            return true
        }
    }

    private func dropped(_ claim: Claim) -> AuthError {
        let event = claim.event(.answerIgnored, at: clock.uptime)
        apply { rules, effects in
            if case .adoption(let adoption) = claim { rules.tokenWasSpent(adoption.session.refreshToken) }
            effects.events.append(event)
        }
        return .superseded
    }
}
