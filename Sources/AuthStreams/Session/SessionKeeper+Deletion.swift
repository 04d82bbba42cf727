extension SessionKeeper {
    /// Joins the deletion of this user that is under way, or begins one.
    ///
    /// - Returns: What will come of it, and whether the caller is to carry it out.
    func boardDeletion() -> (outcome: OneShot<Result<Void, AuthError>>, isNew: Bool) {
        apply { rules, _ in
            let user = rules.machine.session?.user.id
            if let outcome = rules.changes.deletions[user] { return (outcome, false) }
            let outcome = OneShot<Result<Void, AuthError>>()
            rules.changes.deletions[user] = outcome
            return (outcome, true)
        }
    }

    /// A deletion is over.
    func landDeletion(_ outcome: OneShot<Result<Void, AuthError>>, _ result: Result<Void, AuthError>) {
        apply { rules, _ in rules.changes.deletions = rules.changes.deletions.filter { $0.value !== outcome } }
        outcome.resolve(result)
    }

    /// The server deleted the account: ends the session in memory and in the store.
    func endDeleted(_ change: AccountChange) async {
        let isTheirs = apply { rules, effects in
            // Its own doing does not interrupt it.
            rules.changes.ended(change)
            // Somebody else may have signed in while the server was asked.
            guard rules.machine.session?.user.id == change.userID else { return false }
            rules.end(.deleted, &effects)
            return true
        }
        // A store that fails is written by itself, once that works; what a restart finds in it, the server refuses.
        if isTheirs { try? await persist() }
    }
}
