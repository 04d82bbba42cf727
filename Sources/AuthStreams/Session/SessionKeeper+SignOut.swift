extension SessionKeeper {
    /// Ends the session here: in memory at once, then in the store. An attempt under way is superseded.
    ///
    /// - Returns: The session that ended, for telling the server; `nil` when nobody was signed in.
    /// - Throws: `storage` or `storageLocked` when the store could not be cleared. The state is signed out all the same,
    ///   and the store is cleared at the next chance, but a restart before that brings the session back.
    func end(_ reason: SignOutReason) async throws(AuthError) -> Session? {
        let ended = endInMemory(reason)
        try await persist()
        return ended
    }

    private func endInMemory(_ reason: SignOutReason) -> Session? {
        apply { rules, effects in
            let ended = rules.machine.signedOut(reason)
            effects.superseded = rules.attempt
            rules.attempt = nil
            if ended != nil { effects.events.append(AuthEvent(.signedOut, provider: ended?.provider)) }
            return ended
        }
    }
}
