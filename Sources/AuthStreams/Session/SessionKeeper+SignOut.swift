extension SessionKeeper {
    /// Ends the session in memory. An attempt under way is superseded. The caller clears the store with ``persist()``.
    ///
    /// - Returns: The session that ended, for telling the server; `nil` when nobody was signed in.
    func end(_ reason: SignOutReason) -> Session? {
        apply { rules, effects in rules.end(reason, &effects) }
    }
}

extension SessionKeeper.Rules {
    @discardableResult
    mutating func end(_ reason: SignOutReason, _ effects: inout SessionKeeper.Effects) -> Session? {
        let ended = machine.signedOut(reason)
        effects.superseded = attempt
        attempt = nil
        // Until the store has been asked to forget it, what another process does to the record brings nobody back.
        owe(.signOut(of: ended?.user.id))
        if ended != nil { effects.events.append(AuthEvent(.signedOut, provider: ended?.provider, reason: reason)) }
        return ended
    }
}
