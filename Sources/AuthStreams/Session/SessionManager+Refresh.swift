import Foundation

extension SessionManager {
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
            return (session, rules.machine.isUnanswered, rules.storeMayHold(session.refreshToken))
        }
    }

    /// The session, if somebody else replaced the flight's access token meanwhile by one that is good.
    func arrivedElsewhere(_ flight: RefreshFlight) -> Session? {
        let now = clock.uptime
        return apply { rules, _ in
            guard flight.generation == rules.machine.generation, let session = rules.machine.session,
                session.accessToken != flight.replaced, !rules.machine.isUnstored, !rules.machine.life.isOver(at: now)
            else { return nil }
            return session
        }
    }

    /// Notes in the store that a refresh token is about to be sent, or that it was not sent after all.
    ///
    /// - Parameter token: The refresh token; `nil` for that of a session that is being taken over.
    /// - Returns: `false` when the store or this process holds another session or refresh token by now.
    /// - Throws: `storage` or `storageLocked` when it could not be noted.
    @discardableResult
    func noteAnswer(
        isOwed: Bool, of token: Secret? = nil, in generation: UInt64
    ) async throws(AuthError) -> Bool {
        try await writing { () async throws(AuthError) -> Bool in
            let (now, before) = (clock.date, look { $0.isUnanswered })
            let outcome = await write(following: true) { hasFollowed in
                guard !hasFollowed else { return nil }
                return apply { rules, _ -> SessionRecord? in
                    // A record that was followed before this turn has a refresh token of its own, and its own note.
                    guard token == nil || rules.machine.session?.refreshToken == token else { return nil }
                    rules.machine.answerIs(isOwed, in: generation)
                    return rules.machine.generation == generation ? rules.machine.record(at: now) : nil
                }.map { .record($0) }
            }
            if let failure = outcome.failure {
                let uptime = clock.uptime
                apply { rules, effects in
                    var event = AuthEvent(.storageFailed, failure: failure)
                    if rules.machine.generation == generation {
                        // Nothing is sent then. The record may say something else, so it is written again.
                        if isOwed { rules.machine.answerIs(before, in: generation) }
                        event.delay = rules.storeFailed(failure, at: uptime)
                    }
                    effects.events.append(event)
                }
                throw failure
            }
            guard case .done = outcome else { return false }
            settle(in: generation)
            return true
        }
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
                        .refreshFailed, provider: provider, failure: error, elapsed: elapsed, delay: delay))
            }
        }
    }

    /// The server's definite no to a refresh: the session is over, and nothing of it stays. It says nothing about newer tokens that
    /// another process stored meanwhile.
    func refuse(
        _ flight: RefreshFlight, of sent: Session, _ reason: SignOutReason, because error: AuthError
    ) async {
        let elapsed = clock.uptime - flight.startedAt
        let counts = apply { rules, effects in
            let provider = rules.machine.session?.provider
            defer { rules.tokenWasSpent(sent.refreshToken) }
            guard rules.machine.session?.hasTokens(of: sent) == true,
                rules.machine.refreshRefused(reason, in: flight.generation)
            else { return false }
            rules.flight = nil
            rules.owe(.refusal)
            effects.events = [
                AuthEvent(.refreshRefused, provider: provider, failure: error, elapsed: elapsed),
                AuthEvent(.signedOut, provider: provider, failure: error, reason: reason),
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

extension Session {
    /// Whether both have the same refresh token, or where there is none, the same access token.
    fileprivate func hasTokens(of other: Session) -> Bool {
        refreshToken == other.refreshToken && (refreshToken != nil || accessToken == other.accessToken)
    }
}
