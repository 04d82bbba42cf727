/// One deletion of an account under way.
struct Deletion: Sendable {
    struct Plan: Sendable {
        /// The provider that is asked for proof; `nil` when there is none.
        let prompt: ProviderPrompt?
        /// Whether the app's access at that provider still has to be revoked.
        let mustRevoke: Bool
        /// The last step of an earlier deletion.
        let before: DeletionJournal.Entry?
    }

    let plan: Plan
    let change: AccountChange
    let repository: any AuthRepository
    let manager: SessionManager
    let refreshing: RefreshSession

    func run() async throws(AuthError) {
        // One that a sign-in stores meanwhile is another account's.
        let unclaimed = await PendingProfiles(manager: manager).all
        do throws(AuthError) {
            var revoked = plan.mustRevoke ? nil : plan.before
            if plan.mustRevoke, let prompt = plan.prompt { revoked = try await proveAndRevoke(prompt, isWanted: false) }
            do throws(AuthError) { try await delete(after: revoked) } catch {
                guard error.code == .requiresRecentSignIn, let prompt = plan.prompt else { throw error }
                try await delete(after: try await proveAndRevoke(prompt, isWanted: true))
            }
        } catch {
            // A refresh learned that the account no longer exists, which is a success.
            guard await isDeletedAlready else { throw error }
        }
        await DeletionJournal(manager: manager).clear()
        await PendingProfiles(manager: manager).forget(unclaimed)
    }

    /// Whether the session ended during the deletion because the server does not know the account any more.
    private var isDeletedAlready: Bool {
        get async {
            // The transition that ends the session of the user also interrupts the deletion, and says why.
            guard manager.session?.user.id != change.userID else { return false }
            return await change.interruption.value()?.code == .userNotFound
        }
    }

    // MARK: Proof

    /// - Parameter isWanted: Whether the server asked for a fresh sign-in. Otherwise it is enough that the provider was asked.
    /// - Returns: The note that the access is withdrawn; `nil` where there is no way to that.
    private func proveAndRevoke(_ prompt: ProviderPrompt, isWanted: Bool) async throws(AuthError) -> DeletionJournal
        .Entry?
    {
        var credential = try await prompt.credential(for: .reauthenticate, in: change)
        try credential.requireBound()
        let isProven = try await prove(with: credential, isWanted: isWanted)
        guard repository.revokesAccess(at: prompt.provider.id) else { return nil }
        // The code was redeemed for the proof. They just logged in, so they are not made to log in again.
        if isProven, credential.isOnlyCode {
            credential = try await prompt.credential(for: .link, in: change)
            try credential.requireBound()
        }
        return try await revoke(with: credential)
    }

    /// - Returns: Whether the server accepted the proof.
    private func prove(with credential: Credential, isWanted: Bool) async throws(AuthError) -> Bool {
        do throws(AuthError) {
            let proof = credential.keepingCodes
            _ = try await refreshing.change(of: change.userID, showing: .credential) { session throws(AuthError) in
                try await repository.reauthenticate(session, with: proof)
            }
            return true
        } catch {
            guard error.code == .unsupportedProvider, !isWanted else { throw error }
            return false
        }
    }

    // MARK: Revoking and deleting

    private func revoke(with credential: Credential) async throws(AuthError) -> DeletionJournal.Entry? {
        // Before anything is noted: without a valid token nothing would be sent.
        _ = try await refreshing.session(of: change.userID)
        let revoking = DeletionJournal.Entry(
            userID: change.userID, provider: credential.provider, stage: .revoking)
        try await noted(revoking) { () async throws(AuthError) in
            do throws(AuthError) {
                _ = try await refreshing.change(of: change.userID, showing: .credential) { session throws(AuthError) in
                    try await repository.revokeAccess(with: credential, of: session)
                    return session
                }
            } catch {
                // The repository cannot revoke there, so the deletion continues without it.
                guard error.code == .unsupportedProvider else { throw error }
            }
        }
        return DeletionJournal.Entry(userID: change.userID, provider: credential.provider, stage: .deleting)
    }

    private func delete(after revoked: DeletionJournal.Entry?) async throws(AuthError) {
        let deleting = revoked ?? DeletionJournal.Entry(userID: change.userID, provider: nil, stage: .deleting)
        if let revoked { await DeletionJournal(manager: manager).note(revoked) }
        try await noted(deleting) { () async throws(AuthError) in
            try await refreshing.end(of: change.userID) { session throws(AuthError) in
                do throws(AuthError) { try await repository.deleteAccount(session) } catch {
                    // Deleted before, by a request whose answer was lost or somewhere else.
                    guard error.code == .userNotFound else { throw error }
                }
                await manager.accountDeleted(by: change)
            }
        }
    }

    /// Notes a step before it is done, and restores the note before it if the server reports that the step was not done.
    private func noted(
        _ entry: DeletionJournal.Entry, _ action: () async throws(AuthError) -> Void
    ) async throws(AuthError) {
        let journal = DeletionJournal(manager: manager)
        let before = await journal.entry(of: entry.userID)
        await journal.note(entry)
        do throws(AuthError) { try await action() } catch {
            if !error.classification.isOutcomeUnknown { await journal.note(before) }
            throw error
        }
    }
}

extension Credential {
    /// Whether it has nothing that can be sent twice.
    fileprivate var isOnlyCode: Bool { idToken?.present == nil && accessToken?.present == nil }

    /// The same proof without the codes, which are for the one who withdraws the access; where it is only a code, that.
    fileprivate var keepingCodes: Credential {
        guard !isOnlyCode else { return self }
        var proof = self
        proof.authorizationCode = nil
        proof.serverAuthCode = nil
        return proof
    }
}
