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
    func departure(of flight: RefreshFlight) -> (session: Session, isUnanswered: Bool, isStoreBehind: Bool)? {
        apply { rules, _ in
            guard flight.generation == rules.machine.generation, let session = rules.machine.session else { return nil }
            rules.machine.isAsking = true
            return (session, rules.machine.isUnanswered, rules.isStoreBehind)
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
            guard try await rereadInside() else { return false }
            let now = clock.now
            let record: SessionRecord? = apply { rules, _ in
                rules.machine.answerIs(isOwed, in: generation)
                return rules.machine.generation == generation ? rules.machine.record(at: now) : nil
            }
            guard let record else { return false }
            do throws(AuthError) { try await write(record) } catch {
                apply { rules, effects in
                    rules.machine.answerIs(!isOwed, in: generation)
                    effects.events.append(AuthEvent(.storageFailed, error: error.code))
                }
                throw error
            }
            return true
        }
    }

    /// Stores what replaces the session of that generation, and makes it the present one.
    ///
    /// - Throws: `superseded` when the generation is over, here or by another process; then nothing of it stays.
    ///   `storage` or `storageLocked` when a refresh token took another's place and could not be stored: it is kept in
    ///   memory, and handed out once it is.
    func replace(with next: Session, in generation: UInt64) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            guard try await rereadUnlessFailing(), isPresent(generation) else { throw dropped(next) }
            let isBehind = apply { rules, _ in rules.isStoreBehind }
            let isStillOwed = look {
                $0.isUnanswered && $0.session?.accessToken == next.accessToken
                    && $0.session?.refreshToken == next.refreshToken
            }
            let failure = await write(.established(next), isUnanswered: isStillOwed)
            let now = clock.moment
            let isUnstored: Bool? = apply { rules, effects in
                guard rules.machine.refreshed(next, at: now, isStored: failure == nil || isBehind, in: generation)
                else {
                    return nil
                }
                rules.isStoreBehind = failure != nil
                if let failure {
                    rules.machine.storingFailed(failure, at: now.uptime)
                    effects.events.append(AuthEvent(.storageFailed, error: failure.code))
                }
                rules.learnSkew(from: next, at: now, &effects)
                return rules.machine.isUnstored
            }
            guard let isUnstored else {
                try? await writePresent()
                throw dropped(next)
            }
            if let failure, isUnstored { throw failure }
        }
    }

    /// A store that cannot be read tells of no other process.
    private func rereadUnlessFailing() async throws(AuthError) -> Bool {
        do throws(AuthError) { return try await rereadInside() } catch { return true }
    }

    private func isPresent(_ generation: UInt64) -> Bool { look { $0.generation == generation && $0.session != nil } }

    private func dropped(_ session: Session) -> AuthError {
        publish(AuthEvent(.answerIgnored, provider: session.provider))
        return .superseded
    }

    /// A refresh ended: everybody who waits for it is told.
    func land(_ flight: RefreshFlight, _ outcome: Result<Session, AuthError>) {
        let now = clock.moment
        apply { rules, effects in
            guard rules.flight === flight else { return }
            rules.flight = nil
            effects.landed = (flight, outcome.map(\.accessToken))
            let elapsed = now.uptime - flight.startedAt
            let provider = rules.machine.session?.provider
            switch outcome {
            case .success:
                rules.machine.refreshSpared(in: flight.generation)
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
            guard rules.machine.refreshRefused(reason, in: flight.generation) else { return false }
            rules.flight = nil
            effects.events = [
                AuthEvent(.refreshRefused, provider: provider, error: error.code, elapsed: elapsed),
                AuthEvent(.signedOut, provider: provider, error: error.code, reason: reason),
            ]
            return true
        }
        guard counts else { return }
        // A store that fails is behind from here on, and is written at the next chance.
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

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
