extension SessionKeeper {
    /// Joins the deletion under way, or begins one.
    ///
    /// - Returns: What will come of it, and whether the caller is to carry it out.
    func boardDeletion() -> (outcome: OneShot<Result<Void, AuthError>>, isNew: Bool) {
        apply { rules, _ in
            if let outcome = rules.changes.deletion { return (outcome, false) }
            let outcome = OneShot<Result<Void, AuthError>>()
            rules.changes.deletion = outcome
            return (outcome, true)
        }
    }

    /// A deletion is over.
    func landDeletion(_ outcome: OneShot<Result<Void, AuthError>>, _ result: Result<Void, AuthError>) {
        apply { rules, _ in rules.changes.deletion = nil }
        outcome.resolve(result)
    }

    /// The server deleted the account: ends the session in memory and in the store.
    func endDeleted(_ change: AccountChange) async {
        // Its own doing does not interrupt it.
        apply { rules, _ in rules.changes.ended(change) }
        _ = end(.deleted)
        // A store that fails is behind from here on; what a restart finds in it, the server refuses.
        try? await persist()
    }
}
