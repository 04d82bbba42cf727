/// One deletion of an account under way.
struct Deletion: Sendable {
    struct Plan: Sendable {
        /// What a deletion does first.
        enum Beginning: Sendable {
            /// The person proves who they are, and the app's access at the provider is revoked.
            case revoking(ProviderPrompt)
            /// The server is asked to delete. The entry is that of an earlier deletion.
            case deleting(DeletionJournal.Entry?)
        }

        let beginning: Beginning
        /// The provider that is asked for proof if the server wants it; `nil` when there is none.
        let prompt: ProviderPrompt?
    }

    /// Why the person proves who they are.
    private enum ProofReason {
        /// The provider is asked for a credential that revokes the app's access. The repository need not support the proof.
        case revocation
        /// The server wants a recent sign-in.
        case recentSignIn
    }

    let plan: Plan
    let change: AccountChange
    let refreshing: RefreshSession
    private var repository: any AuthRepository { refreshing.repository }
    private var manager: SessionManager { refreshing.manager }

    func run() async throws(AuthError) {
        // One that a sign-in stores meanwhile is another account's.
        let unclaimed = await PendingProfiles(manager: manager).all
        do throws(AuthError) { try await revokeAndDelete() } catch {
            // A refresh learned that the account no longer exists, which is a success.
            guard await isDeletedAlready else { throw error }
        }
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in
            notes.remove(.deletion)
            try PendingProfiles.forget(unclaimed, in: &notes)
        }
    }

    private func revokeAndDelete() async throws(AuthError) {
        let revoked =
            switch plan.beginning {
            case .revoking(let prompt): try await proveAndRevoke(prompt, for: .revocation)
            case .deleting(let entry): entry
            }
        do throws(AuthError) { try await delete(after: revoked) } catch {
            guard error.code == .requiresRecentSignIn, let prompt = plan.prompt else { throw error }
            try await delete(after: try await proveAndRevoke(prompt, for: .recentSignIn))
        }
    }

    /// Whether the session ended during the deletion because the server does not know the account any more.
    private var isDeletedAlready: Bool {
        get async {
            // The transition that ends the session of the user also interrupts the deletion, and says why.
            guard manager.user?.id != change.userID else { return false }
            return await change.interruption.value()?.code == .userNotFound
        }
    }

    // MARK: Proof

    /// - Returns: The note that the access is withdrawn; `nil` where there is no way to that.
    private func proveAndRevoke(
        _ prompt: ProviderPrompt, for reason: ProofReason
    ) async throws(AuthError) -> DeletionJournal.Entry? {
        var credential = try await prompt.credential(for: .reauthenticate, in: change)
        let isProven = try await prove(with: credential, for: reason)
        guard repository.revokesAccess(at: prompt.provider.id) else { return nil }
        // The code was redeemed for the proof. They just logged in, so they are not made to log in again.
        if isProven, credential.isOnlyCode {
            credential = try await prompt.credential(for: .link, in: change)
        }
        return try await revoke(with: credential)
    }

    /// - Returns: Whether the server accepted the proof.
    private func prove(with credential: Credential, for reason: ProofReason) async throws(AuthError) -> Bool {
        do throws(AuthError) {
            _ = try await refreshing.reauthenticate(by: change, with: credential.withoutCodes)
            return true
        } catch {
            // Where the server did not ask for it, it is enough that the provider was asked.
            guard error.code == .unsupportedProvider, reason == .revocation else { throw error }
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
                _ = try await refreshing.change(by: change, showing: .credential) { session throws(AuthError) in
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
        while true {
            do throws(AuthError) {
                return try await noted(deleting) { () async throws(AuthError) in try await sendDeletion() }
            } catch {
                // The answer makes the session recent, and deletes nothing.
                try await refreshing.answer(error, by: change)
            }
        }
    }

    private func sendDeletion() async throws(AuthError) {
        try await refreshing.request(as: change.userID) { session throws(AuthError) in
            do throws(AuthError) { try await repository.deleteAccount(session) } catch {
                // Deleted before, by a request whose answer was lost or somewhere else.
                guard error.code == .userNotFound else { throw error }
            }
            await manager.accountDeleted(by: change)
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

extension SessionManager {
    /// The server deleted the account: ends the session in memory and in the store.
    func accountDeleted(by change: AccountChange) async {
        // First: a process that finds the session after a restart learns of the deletion, and one that finds none does not.
        await LastSignIns(manager: self).forget(change.userID)
        // If the store fails, the write is retried automatically; the server refuses what a restart finds before that.
        if transition({ machine, _ in machine.accountDeleted(by: change) }) { try? await persistPending() }
        await PendingAttempts(manager: self).clear()
    }
}

extension Credential {
    /// Whether it has nothing that can be sent twice.
    fileprivate var isOnlyCode: Bool { idToken?.present == nil && accessToken?.present == nil }

    /// The same proof without the codes, which are for the one who withdraws the access; where it is only a code, that.
    fileprivate var withoutCodes: Credential {
        guard !isOnlyCode else { return self }
        var proof = self
        proof.authorizationCode = nil
        proof.serverAuthCode = nil
        return proof
    }
}
