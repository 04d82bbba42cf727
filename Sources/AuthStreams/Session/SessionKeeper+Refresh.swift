import Foundation

extension SessionKeeper {
    /// What somebody who wants a token is told right now.
    func token(for demand: TokenDemand) -> SessionMachine.TokenAnswer {
        let now = clock.uptime
        return look { $0.token(at: now, for: demand) }
    }

    /// A place in the refresh under way, or in one that begins here.
    struct Boarding: Sendable {
        let flight: RefreshFlight
        /// Whether the caller is to carry it out.
        let isNew: Bool
    }

    /// Joins the refresh under way, or begins one; `nil` when by now none is needed.
    func board(for demand: TokenDemand) -> Boarding? {
        let now = clock.uptime
        // Most of a crowd find one under way, and change nothing.
        if let flight = flight(for: demand, at: now) { return Boarding(flight: flight, isNew: false) }
        return apply { rules, _ in
            guard case .refresh = rules.machine.token(at: now, for: demand), let session = rules.machine.session else {
                return nil
            }
            if let flight = rules.flight { return Boarding(flight: flight, isNew: false) }
            let flight = RefreshFlight(
                generation: rules.machine.generation, replaced: session.accessToken, startedAt: now)
            rules.flight = flight
            rules.machine.refreshBegan()
            return Boarding(flight: flight, isNew: true)
        }
    }

    /// What there is to refresh, unless the flight's generation is over.
    ///
    /// - Returns: Also whether an answer to it is owed already, and whether the store may hold its refresh token.
    func departure(of flight: RefreshFlight) -> (session: Session, isUnanswered: Bool, isInStore: Bool)? {
        apply { rules, _ in
            guard flight.generation == rules.machine.generation, let session = rules.machine.session else { return nil }
            rules.machine.isAsking = true
            return (session, rules.machine.isUnanswered, rules.storeMayHold(session.refreshToken))
        }
    }

    /// The session, if somebody else replaced the flight's access token meanwhile by one that is good.
    func arrivedElsewhere(_ flight: RefreshFlight) -> Session? {
        let now = clock.uptime
        return apply { rules, _ in
            guard flight.generation == rules.machine.generation, let session = rules.machine.session,
                session.accessToken != flight.replaced, !rules.machine.life.isOver(at: now)
            else { return nil }
            return session
        }
    }

    /// Notes in the store that a refresh token is about to be sent, or that it was not sent after all.
    ///
    /// - Returns: `false` when the store holds another session by now.
    /// - Throws: `storage` or `storageLocked` when it could not be noted.
    @discardableResult
    func noteAnswer(isOwed: Bool, in generation: UInt64) async throws(AuthError) -> Bool {
        try await writing { () async throws(AuthError) -> Bool in
            if try await isOvertaken() { return false }
            let now = clock.now
            let (record, before): (SessionRecord?, Bool) = apply { rules, _ in
                let before = rules.machine.isUnanswered
                rules.machine.answerIs(isOwed, in: generation)
                return (rules.machine.generation == generation ? rules.machine.record(at: now) : nil, before)
            }
            guard let record else { return false }
            do throws(AuthError) { try await write(record) } catch {
                apply { rules, effects in
                    rules.machine.answerIs(before, in: generation)
                    effects.events.append(AuthEvent(.storageFailed, error: error.code))
                }
                throw error
            }
            settle(in: generation)
            return true
        }
    }

    /// Stores what replaces a session of that generation, and makes it the present one.
    ///
    /// - Parameters:
    ///   - before: What the request began with. Where another process stored a newer sign-in of the same person since, that one's
    ///     tokens stay.
    ///   - isAnswer: Whether it is the answer to a refresh, and not to a change.
    /// - Returns: What is present now.
    /// - Throws: `superseded` when the generation is over, here or by another process; then nothing of it stays.
    ///   `storage` or `storageLocked` when a refresh token took another's place and could not be stored: it is kept in
    ///   memory, and handed out once it is.
    func replace(
        _ before: Session, with next: Session, isAnswer: Bool = true, in generation: UInt64
    ) async throws(AuthError) -> Session {
        try await writing { () async throws(AuthError) in
            // A store that cannot be read tells of no other process.
            _ = try? await isOvertaken()
            guard isPresent(generation) else { throw dropped(next) }
            let (next, isStillOwed, mayHoldTheLast) = apply { rules, _ in
                let last = rules.machine.session
                let next = last.map { next.replacing(before, in: $0) } ?? next
                let isOwed = rules.machine.isUnanswered && !isAnswer && last?.refreshToken == next.refreshToken
                return (next, isOwed, rules.storeMayHold(last?.refreshToken))
            }
            let failure = await write(.established(next), isUnanswered: isStillOwed)
            let now = clock.moment
            let isUnstored: Bool? = apply { rules, effects in
                let isStored = failure == nil || !mayHoldTheLast
                let counts = rules.machine.refreshed(
                    next, at: now, isStored: isStored, isAnswer: isAnswer, in: generation)
                guard counts else { return nil }
                rules.learnSkew(from: next, at: now, &effects)
                if let failure {
                    let delay = rules.storeFailed(failure, at: now.uptime)
                    effects.events.append(AuthEvent(.storageFailed, error: failure.code, delay: delay))
                    if rules.machine.isUnstored { rules.tokenWasSpent() }
                } else {
                    rules.storeSettled()
                }
                return rules.machine.isUnstored
            }
            guard let isUnstored else {
                try? await writePresent()
                throw dropped(next)
            }
            if let failure, isUnstored { throw failure }
            return next
        }
    }

    private func isPresent(_ generation: UInt64) -> Bool { look { $0.generation == generation && $0.session != nil } }

    private func dropped(_ session: Session) -> AuthError {
        apply { rules, effects in
            rules.tokenWasSpent()
            effects.events.append(AuthEvent(.answerIgnored, provider: session.provider))
        }
        return .superseded
    }

    /// A refresh ended: everybody who waits for it is told.
    func land(_ flight: RefreshFlight, _ outcome: Result<RefreshFlight.Arrival, AuthError>) {
        let now = clock.moment
        apply { rules, effects in
            guard rules.flight === flight else { return }
            rules.flight = nil
            effects.landed = (flight, outcome.map(\.token))
            let elapsed = now.uptime - flight.startedAt
            let provider = rules.machine.session?.provider
            switch outcome {
            case .success(let arrival):
                rules.machine.refreshSpared(in: flight.generation)
                // What another process did was told as its doing.
                if arrival.isSpared { break }
                effects.events.append(AuthEvent(.refreshSucceeded, provider: provider, elapsed: elapsed))
            case .failure(let error):
                let delay = rules.machine.refreshFailed(error, at: now, in: flight.generation)
                effects.events.append(
                    AuthEvent(
                        .refreshFailed, provider: provider, error: error.code, elapsed: elapsed, delay: delay))
            }
        }
    }

    /// The server's definite no to a refresh: the session is over, and nothing of it stays.
    func refuse(_ flight: RefreshFlight, _ reason: SignOutReason, because error: AuthError) async {
        let elapsed = clock.uptime - flight.startedAt
        let counts = apply { rules, effects in
            let provider = rules.machine.session?.provider
            defer { rules.tokenWasSpent() }
            guard rules.machine.refreshRefused(reason, in: flight.generation) else { return false }
            rules.flight = nil
            rules.owe(.refusal)
            effects.events = [
                AuthEvent(.refreshRefused, provider: provider, error: error.code, elapsed: elapsed),
                AuthEvent(.signedOut, provider: provider, error: error.code, reason: reason),
            ]
            return true
        }
        guard counts else { return }
        // A store that fails is written by itself, once that works.
        try? await persist()
        // Only now, or a process that ends with its caller leaves the mark of a lost answer.
        flight.outcome.resolve(.failure(error))
    }
}

extension SessionKeeper.Rules {
    /// Compares the server's clock, which has whole seconds, with the device's.
    mutating func learnSkew(from session: Session, at now: Moment, _ effects: inout SessionKeeper.Effects) {
        guard let issuedAt = session.issuedAt else { return }
        let skew = Duration.seconds(issuedAt.timeIntervalSince(now.date).rounded())
        guard (skew - (self.skew ?? .zero)).magnitude > .seconds(2) else { return }
        self.skew = skew
        effects.events.append(AuthEvent(.clockSkewLearned, delay: skew))
    }
}

extension Session {
    /// What a request that began with one session brought, for the session that is present by now.
    fileprivate func replacing(_ before: Session, in present: Session) -> Session {
        let isUntouched = present.accessToken == before.accessToken && present.refreshToken == before.refreshToken
        guard !isUntouched else { return self }
        var next = present
        next.user = user
        return next
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
