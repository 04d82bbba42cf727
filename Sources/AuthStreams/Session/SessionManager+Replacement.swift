import Foundation

extension SessionManager {
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
            var (session, mayHoldTheLast) = (next, true)
            // What another process stored meanwhile is taken over first; that may end the generation.
            let writing = await write(following: true) { _ in
                let now = clock.date
                return apply { rules, _ -> (Session, Bool, NextRecord)? in
                    guard rules.machine.generation == generation, let last = rules.machine.session else { return nil }
                    let next = next.replacing(before, in: last)
                    // The answer pays for the token that was sent, and not for one that another process stored since.
                    let isPaid = isAnswer && last.refreshToken == before.refreshToken
                    let isOwed = rules.machine.isUnanswered && !isPaid && last.refreshToken == next.refreshToken
                    let record = rules.machine.record(of: next, isUnanswered: isOwed, at: now)
                    return (next, rules.storeMayHold(last.refreshToken), .record(record))
                }.map { (decided: Session, mayHold: Bool, record: NextRecord) in
                    (session, mayHoldTheLast) = (decided, mayHold)
                    return record
                }
            }
            if case .unwanted = writing { throw dropped(next, for: before) }
            let (now, replacement, isStored) = (clock.moment, session, writing.failure == nil || !mayHoldTheLast)
            let isUnstored: Bool? = apply { rules, effects in
                let counts = rules.machine.refreshed(
                    replacement, at: now, isStored: isStored, isAnswer: isAnswer, in: generation)
                guard counts else { return nil }
                rules.learnSkew(from: replacement, at: now, &effects)
                if let failure = writing.failure {
                    let delay = rules.storeFailed(failure, at: now.uptime)
                    effects.events.append(AuthEvent(.storageFailed, failure: failure, delay: delay))
                    if rules.machine.isUnstored { rules.tokenWasSpent(before.refreshToken) }
                } else {
                    rules.storeSettled()
                }
                return rules.machine.isUnstored
            }
            // Otherwise the session ended meanwhile, and that write follows.
            guard let isUnstored else { throw dropped(next, for: before) }
            if let failure = writing.failure, isUnstored { throw failure }
            return replacement
        }
    }

    private func dropped(_ session: Session, for before: Session) -> AuthError {
        apply { rules, effects in
            rules.tokenWasSpent(before.refreshToken)
            effects.events.append(AuthEvent(.answerIgnored, provider: session.provider))
        }
        return .superseded
    }
}

extension SessionManager.Rules {
    /// Compares the server's clock, which has whole seconds, with the device's.
    mutating func learnSkew(from session: Session, at now: Moment, _ effects: inout SessionManager.Effects) {
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
