import Foundation

extension SessionKeeper {
    /// By what right a session becomes the present one.
    enum Claim {
        /// A sign-in, as long as no other and no sign-out took its place.
        case attempt(SignInAttempt)
        /// The adoption, as long as it is under way.
        case adoption(Adoption)

        func isPresent(in machine: SessionMachine) -> Bool {
            switch self {
            case .attempt(let attempt): machine.attempt?.id == attempt.id
            case .adoption(let adoption): machine.isAdopting(in: adoption.generation)
            }
        }

        /// Whether it may be somebody else than the record names. What is to be adopted is the very session that was.
        var isOfAPerson: Bool {
            if case .attempt = self { true } else { false }
        }

        func event(_ kind: AuthEvent.Kind, at now: Duration, error: AuthError.Code? = nil) -> AuthEvent {
            switch self {
            case .attempt(let attempt): attempt.event(kind, at: now, error: error)
            case .adoption(let adoption): adoption.event(kind, at: now, error: error)
            }
        }
    }

    /// Stores a session and makes it the present one.
    ///
    /// - Throws: `superseded` when another attempt or a sign-out took its place; then nothing of it stays.
    func establish(_ session: Session, by claim: Claim) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            let record = SessionRecord(.established(session), isUnanswered: false, savedAt: clock.now)
            // On disk before any reader sees it. Not written and taken back where it is known before that it does not count: a
            // crash in between would bring it back. What is taken over from another SDK is older than what another process
            // stored.
            let writing = await write(following: !claim.isOfAPerson) { _ in
                look { claim.isPresent(in: $0) } ? .record(record) : nil
            }
            if case .unwanted = writing { throw dropped(claim) }
            guard commit(session, by: claim, writing.failure) else {
                await rollBack(writing)
                throw dropped(claim)
            }
            // Only now that it counts: otherwise the user before is still the present one.
            if writing.failure != nil, claim.isOfAPerson { await forgetReplacedUser() }
        }
    }

    private func commit(_ session: Session, by claim: Claim, _ failure: AuthError?) -> Bool {
        let moment = clock.moment
        let now = moment.uptime
        return apply { rules, effects in
            switch claim {
            case .attempt(let attempt):
                guard rules.machine.sessionEstablished(session, at: moment, by: attempt.id) else { return false }
                rules.attempt = nil
                effects.events.append(claim.event(.signInSucceeded, at: now))
            case .adoption(let adoption):
                guard rules.machine.adopted(session, at: moment, in: adoption.generation) else { return false }
                effects.events.append(claim.event(.adoptionSucceeded, at: now))
            }
            if let failure {
                rules.owe(claim.isOfAPerson ? .signIn(of: session.user.id, at: moment.date) : .change)
                var event = claim.event(.storageFailed, at: now, error: failure.code)
                event.delay = rules.storeFailed(failure, at: now)
                effects.events.append(event)
                if !claim.isOfAPerson { rules.tokenWasSpent() }
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
            if !claim.isOfAPerson { rules.tokenWasSpent() }
            effects.events.append(event)
        }
        return .superseded
    }
}
