extension SessionManager {
    /// Returns the deletion of this user that is under way, or a new one.
    func sharedDeletion(of user: AuthUser.ID) -> SharedOperation<Void> {
        apply { rules, _ in
            // A deletion that has an outcome is no longer under way.
            if let shared = rules.changes.deletions[user], !shared.isOver { return shared }
            let shared = SharedOperation<Void>()
            rules.changes.deletions = [user: shared]
            return shared
        }
    }

    /// The server deleted the account: ends the session in memory and in the store.
    func endDeleted(_ change: AccountChange) async {
        let now = clock.moment
        let isTheirs = apply { rules, effects in
            // Its own doing does not interrupt it.
            rules.changes.ended(change)
            let provider = rules.machine.session?.provider
            // Another user may have signed in while the server was asked.
            guard rules.machine.accountDeleted(change.userID) else { return false }
            rules.owe(.signOut(of: change.userID, at: now))
            effects.events.append(AuthEvent(.signedOut, provider: provider, reason: .deleted))
            return true
        }
        // A store that fails is written by itself, once that works; what a restart finds in it, the server refuses.
        if isTheirs { try? await persist() }
    }
}
