extension SessionManager {
    /// Ends the session in memory. An attempt under way is superseded. The caller clears the store with ``persist()``.
    ///
    /// - Returns: The session that ended, for telling the server; `nil` when nobody was signed in.
    func end(_ reason: SignOutReason) -> Session? {
        let now = clock.moment
        return apply { rules, effects in rules.end(reason, at: now, &effects) }
    }
}

extension SessionManager.Rules {
    @discardableResult
    mutating func end(
        _ reason: SignOutReason, at now: Moment, _ effects: inout SessionManager.Effects
    ) -> Session? {
        let ended = machine.signedOut(reason)
        effects.superseded = attempt
        attempt = nil
        // Until the store has been asked to forget it, what another process does to the record brings nobody back.
        owe(.signOut(of: ended?.user.id, at: now))
        if ended != nil { effects.events.append(AuthEvent(.signedOut, provider: ended?.provider, reason: reason)) }
        return ended
    }
}
