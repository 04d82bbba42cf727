import Foundation

extension RefreshSession {
    /// Carries out a refresh, for everybody who waits for it.
    func carryOut(_ flight: RefreshFlight) async {
        var outcome = await AuthStream { () async throws(AuthError) in try await ask(flight) }
            .interrupted {
                // Without a value the wait itself was cancelled, because the refresh is over.
                guard await flight.supersession.value() != nil else { return nil }
                return .superseded
            }
            .body()
        // Another process may have been first, although this one failed.
        if case .failure = outcome, let session = manager.arrivedElsewhere(flight) {
            outcome = .success(RefreshFlight.Arrival(token: session.accessToken, isSpared: true))
        }
        manager.land(flight, outcome)
    }

    private func ask(_ flight: RefreshFlight) async throws(AuthError) -> RefreshFlight.Arrival {
        try await alone { lock throws(AuthError) in
            while true {
                // Another process may have refreshed, signed in or signed out while this one waited for its turn.
                try await manager.reread()
                if let session = manager.arrivedElsewhere(flight) {
                    return RefreshFlight.Arrival(token: session.accessToken, isSpared: true)
                }
                guard let departure = manager.departure(of: flight) else { throw .superseded }
                // Without a refresh token nothing is sent.
                if repository.refreshTokenRule == .singleUse, departure.session.refreshToken?.present != nil {
                    // Also where it is noted already: where that cannot be written, the answer could not be either.
                    guard
                        try await note(isOwed: true, departure.session, flight, inStore: departure.isInStore)
                    else { continue }
                }
                let session = try await next(
                    after: departure.session, flight, departure.isUnanswered, departure.isInStore, lock)
                return RefreshFlight.Arrival(token: session.accessToken, isSpared: false)
            }
        }
    }

    private func next(
        after session: Session, _ flight: RefreshFlight, _ isRepeat: Bool, _ isInStore: Bool,
        _ lock: SessionStoreLock?
    ) async throws(AuthError) -> Session {
        manager.publish(AuthEvent(isRepeat ? .refreshResent : .refreshStarted, provider: session.provider))
        let next: Session
        do throws(AuthError) {
            try lock?.requireHeld()
            next = try await asked(session)
        } catch {
            try await failed(flight, session, error, isRepeat: isRepeat, isInStore: isInStore)
        }
        do throws(AuthError) { return try await manager.replace(session, with: next, in: flight.generation) } catch {
            if error.code == .superseded { await repository.giveBack(next, in: manager) }
            throw error
        }
    }

    private func asked(_ session: Session) async throws(AuthError) -> Session {
        let next = try await repository.refresh(session)
        guard next.user.id == session.user.id else {
            throw AuthError(.invalidResponse, "The refresh answered with another user's session; it is not kept.")
        }
        return next
    }

    private func failed(
        _ flight: RefreshFlight, _ session: Session, _ error: AuthError, isRepeat: Bool, isInStore: Bool
    ) async throws(AuthError) -> Never {
        if let reason = error.classification.sessionEnd(afterRepeat: isRepeat) {
            // It says nothing about what another process has stored meanwhile.
            try? await manager.reread()
            await manager.refuse(flight, of: session, reason, because: error)
        } else if repository.refreshTokenRule == .singleUse, !isRepeat, !error.classification.isOutcomeUnknown {
            // If that fails, the write is retried automatically.
            _ = try? await note(isOwed: false, session, flight, inStore: isInStore)
        }
        throw error
    }

    /// - Returns: `false` when the store or this process holds another session or refresh token by now.
    private func note(
        isOwed: Bool, _ session: Session, _ flight: RefreshFlight, inStore: Bool
    ) async throws(AuthError) -> Bool {
        if inStore {
            return try await manager.noteAnswer(isOwed: isOwed, of: session.refreshToken, in: flight.generation)
        }
        // No other process or launch can find this token, so it is enough to remember it.
        manager.apply { rules, _ in rules.machine.answerIs(isOwed, in: flight.generation) }
        return true
    }

    /// Runs what sends the refresh token, or replaces it: one at a time, in all processes.
    ///
    /// - Parameter section: Gets the lock of all processes; `nil` where none is needed. It asks whether the lock is still held
    ///   right before it sends something.
    func alone<Value: Sendable>(
        _ section: (SessionStoreLock?) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await manager.refreshGate.run { () async throws(AuthError) in
            let lock = try await lock()
            defer { manager.handBack(lock, mayKeep: repository.refreshTokenRule == .singleUse) }
            try? await manager.persist()
            let outcome: Result<Value, AuthError>
            do throws(AuthError) { outcome = .success(try await section(lock)) } catch { outcome = .failure(error) }
            // Who comes next reads the store, and must not find a token there whose answer was read here.
            await manager.writeDecisions()
            return try outcome.get()
        }
    }

    private func lock() async throws(AuthError) -> SessionStoreLock? {
        if let held = manager.apply({ rules, _ in rules.heldLock.take() }) { return held }
        let budget = LockBudget.current ?? LockBudget()
        do throws(AuthError) { return try await budget.lock(.refreshLock, of: manager.store, by: manager.clock) } catch
        {
            // Two may use a token that stays good, so that is no reason not to refresh.
            guard repository.refreshTokenRule == .reusable, error.code != .cancelled else { throw error }
            return nil
        }
    }

}

extension SessionManager {
    /// Gives the lock of whoever refreshes back, or keeps it while the store holds a token that nobody must send again.
    fileprivate func handBack(_ lock: SessionStoreLock?, mayKeep: Bool) {
        let spare: SessionStoreLock? = apply { rules, _ in
            guard let lock, mayKeep, rules.debt?.spentToken != nil else { return lock }
            rules.heldLock = lock
            return nil
        }
        spare?.release()
    }
}

extension SessionStoreLock {
    /// - Throws: `storage` when the lock is lost: another process may use the refresh token now.
    func requireHeld() throws(AuthError) {
        guard isHeld else {
            throw AuthError(
                .storage,
                "The lock that keeps other processes from using the refresh token was lost, so nothing was sent. Try again."
            )
        }
    }
}
