import Foundation

extension SessionKeeper {
    /// Stores the session of an attempt and makes it the present one.
    ///
    /// - Throws: `superseded` when another attempt or a sign-out took this one's place; then nothing of it stays.
    func establish(_ session: Session, by attempt: SignInAttempt) async throws(AuthError) {
        try await storeGate.run { () async throws(AuthError) in
            let (isPresent, isUnread) = apply { rules, _ in
                (rules.machine.attempt?.id == attempt.id, rules.machine.isUnread)
            }
            // Not written and taken back: a crash in between would bring it back.
            guard isPresent else { throw dropped(attempt) }
            let unread = isUnread ? try? await store.read(.session) : nil
            let failure = await write(session)
            if failure != nil { await forgetSomebodyElse(than: session.user) }
            guard commit(session, by: attempt, failure) else {
                await takeBack(over: unread)
                throw dropped(attempt)
            }
        }
    }

    /// On disk before anyone sees it. A store that fails is no reason to turn a person away who just signed in.
    private func write(_ session: Session) async -> AuthError? {
        do throws(AuthError) {
            try await store.write(SessionRecord(session).data(), for: .session)
            return nil
        } catch {
            return error
        }
    }

    /// A record that could not be replaced must not sign in the person before at the next launch.
    private func forgetSomebodyElse(than user: AuthUser) async {
        if session?.user.id != user.id { try? await store.remove(.session) }
    }

    private func commit(_ session: Session, by attempt: SignInAttempt, _ failure: AuthError?) -> Bool {
        let now = clock.uptime
        return apply { rules, effects in
            if let failure {
                effects.events.append(attempt.event(.storageFailed, at: now, error: failure.code))
            }
            guard rules.machine.sessionEstablished(session, by: attempt.id) else { return false }
            rules.attempt = nil
            rules.isStoreBehind = failure != nil
            effects.events.append(attempt.event(.signInSucceeded, at: now))
            return true
        }
    }

    /// Makes the store hold what it held before a write that does not count; if that fails, the store is known to be behind.
    private func takeBack(over unread: Data?) async {
        let isUnread = apply { rules, _ in rules.machine.isUnread }
        if isUnread, let unread { try? await store.write(unread, for: .session) }
        if isUnread, unread == nil { try? await store.remove(.session) }
        if !isUnread { try? await writePresent() }
    }

    private func dropped(_ attempt: SignInAttempt) -> AuthError {
        publish(attempt.event(.answerIgnored, at: clock.uptime))
        return .superseded
    }
}
