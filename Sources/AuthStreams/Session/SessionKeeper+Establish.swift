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
            let unread = look({ $0.isUnread }) ? try? await store.read(.session) : nil
            // What is taken over from another SDK is older than whatever another process stored.
            if !claim.isOfAPerson { _ = try? await isOvertaken() }
            // Not written and taken back: a crash in between would bring it back.
            guard look({ claim.isPresent(in: $0) }) else { throw dropped(claim) }
            let failure = await write(.established(session))
            if failure != nil, claim.isOfAPerson { await forgetSomebodyElse(than: session.user) }
            guard commit(session, by: claim, failure) else {
                await takeBack(over: unread, failure)
                throw dropped(claim)
            }
        }
    }

    /// A record that could not be replaced must not sign in the person before at the next launch.
    private func forgetSomebodyElse(than user: AuthUser) async {
        if session?.user.id != user.id { try? await forget() }
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

    /// Makes the store hold what it held before a write that does not count. If that fails, what is present is owed to the
    /// store; where nothing was read yet, there is nothing to owe, and the write may be found at the next reading.
    ///
    /// - Parameters:
    ///   - unread: What it held, where nobody has read that yet.
    ///   - failure: Why the write failed, if it did. A store may fail and have written it all the same.
    func takeBack(over unread: Data?, _ failure: AuthError?) async {
        let (isUnread, tried) = apply { rules, _ in (rules.machine.isUnread, rules.tried) }
        guard isUnread else {
            try? await writePresent()
            return
        }
        if failure != nil {
            guard let data = try? await store.read(.session), data == tried else { return }
        }
        if let unread { try? await store.write(unread, for: .session) } else { try? await store.remove(.session) }
        apply { rules, _ in rules.known = KnownRecord(data: unread) }
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
