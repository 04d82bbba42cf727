import Foundation

/// The use case 'delete the account': at the provider, at the server, and here, in that order.
///
/// ```
/// asked ─▶ prove again ─▶ note 'revoking' ─▶ revoke ─▶ note 'deleting' ─▶ delete ─▶ signedOut(.deleted)
///          (where it revokes, or the server wants it)                    └▶ server: sign in again first
/// ```
///
/// The credential to revoke comes from proving again, and is not stored. A deletion that was cut off, by an error or the end
/// of the process, is not resumed automatically. Iterated again, it resumes where it was.
struct DeleteAccount: Sendable {
    let refreshing: RefreshSession

    /// Deletes the account of the user who is signed in, when iterated. ``AuthService`` says how it fails.
    ///
    /// - Parameter provider: Chooses who is asked, by the session and the provider of a deletion that was cut off; `nil` when
    ///   none of theirs is there.
    func callAsFunction(
        asking provider: @escaping @Sendable (AuthSession, ProviderID?) throws -> (any AuthProvider)?,
        _ request: AuthRequest
    ) -> AuthStream<Void> {
        AuthStream(body: {
            do throws(AuthError) {
                guard let session = try await refreshing.currentSession() else { throw .notSignedIn }
                let deletion = deletion(of: session.user.id, asking: provider, request)
                let shared = refreshing.manager.transition { machine, _ in
                    machine.operations.sharedDeletion(of: session.user.id)
                }
                return await shared.result { await deletion.body() }
            } catch {
                return .failure(error)
            }
        })
    }

    private func deletion(
        of user: AuthUser.ID,
        asking provider: @escaping @Sendable (AuthSession, ProviderID?) throws -> (any AuthProvider)?,
        _ request: AuthRequest
    ) -> AuthStream<Void> {
        refreshing.change(.deletion) { session in
            // Another user may have signed in while this caller waited for another that deleted the same account.
            guard session.user.id == user else { throw AuthError.superseded }
            let entry = await DeletionJournal(manager: refreshing.manager).entry(of: session.user.id)
            // An anonymous user has no provider that could prove who they are, and nothing to revoke.
            let asked = session.user.isAnonymous ? nil : try provider(session, entry?.provider)
            let prompt = asked.map {
                ProviderPrompt(provider: $0, request: request, expecting: session, refreshing: refreshing)
            }
            return (try plan(session, entry, prompt), asked?.id)
        } _: { change, plan in
            try await Deletion(
                plan: plan, change: change, refreshing: refreshing.sharingBudget()
            ).run()
        }
    }

    private func plan(
        _ session: AuthSession, _ entry: DeletionJournal.Entry?, _ prompt: ProviderPrompt?
    ) throws(AuthError) -> Deletion.Plan {
        guard let prompt else {
            let identities = session.user.isAnonymous ? [] : session.identities
            if let missing = identities.first(where: refreshing.repository.revokesAccess(at:)) {
                throw .withoutProvider(missing)
            }
            return Deletion.Plan(prompt: nil, mustRevoke: false, before: entry)
        }
        try prompt.validate(for: refreshing.repository)
        let id = prompt.provider.id
        let isRevoked = entry?.stage == .deleting && entry?.provider == id
        return Deletion.Plan(
            prompt: prompt, mustRevoke: refreshing.repository.revokesAccess(at: id) && !isRevoked, before: entry)
    }
}

extension AuthSession {
    /// The providers at which the user can prove who they are, the one of the sign-in first.
    var identities: [ProviderID] {
        let others = user.providers.map(\.id).filter { $0 != provider }
        let isTheirs = user.providers.isEmpty || user.providers.contains { $0.id == provider }
        return (isTheirs ? [provider] : []) + others
    }
}

extension AuthError {
    fileprivate static func withoutProvider(_ provider: ProviderID) -> Self {
        AuthError(
            .unsupportedProvider,
            """
            Deleting the account withdraws the app's access at \(provider), for which the person is asked there, and no such \
            provider was given to the service. Add one to its providers.
            """, provider: provider)
    }
}

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
    let refreshing: RefreshSession
    private var repository: any AuthRepository { refreshing.repository }
    private var manager: SessionManager { refreshing.manager }

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
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in
            notes.remove(.deletion)
            try PendingProfiles.forget(unclaimed, in: &notes)
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

    /// - Parameter isWanted: Whether the server asked for a fresh sign-in. Otherwise it is enough that the provider was asked.
    /// - Returns: The note that the access is withdrawn; `nil` where there is no way to that.
    private func proveAndRevoke(_ prompt: ProviderPrompt, isWanted: Bool) async throws(AuthError) -> DeletionJournal
        .Entry?
    {
        var credential = try await prompt.credential(for: .reauthenticate, in: change)
        let isProven = try await prove(with: credential, isWanted: isWanted)
        guard repository.revokesAccess(at: prompt.provider.id) else { return nil }
        // The code was redeemed for the proof. They just logged in, so they are not made to log in again.
        if isProven, credential.isOnlyCode {
            credential = try await prompt.credential(for: .link, in: change)
        }
        return try await revoke(with: credential)
    }

    /// - Returns: Whether the server accepted the proof.
    private func prove(with credential: Credential, isWanted: Bool) async throws(AuthError) -> Bool {
        do throws(AuthError) {
            _ = try await refreshing.reauthenticate(by: change, with: credential.keepingCodes)
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
    fileprivate var keepingCodes: Credential {
        guard !isOnlyCode else { return self }
        var proof = self
        proof.authorizationCode = nil
        proof.serverAuthCode = nil
        return proof
    }
}

/// A deletion of an account that was begun, and is not known to be complete.
///
/// Show it where your app offers the deletion: deleting again resumes it.
public struct PendingDeletion: Equatable, Sendable {
    /// The provider at which the person was asked; `nil` when they were not.
    public var provider: ProviderID?
    /// Whether the app's access at the provider is withdrawn already.
    public var isRevoked: Bool

    /// Describes a deletion.
    package init(provider: ProviderID?, isRevoked: Bool) {
        self.provider = provider
        self.isRevoked = isRevoked
    }
}

/// The step that a deletion is about to take, stored before it, so that a later deletion resumes there. Holds no secret.
///
/// A store that fails does not stop a deletion: it is reported as an event, and at worst the person is asked once more.
struct DeletionJournal: Sendable {
    /// The step that was about to be taken.
    enum Stage: String, Codable {
        case revoking, deleting
    }

    struct Entry: Codable, Equatable {
        let userID: AuthUser.ID
        /// `nil` when nothing was revoked.
        let provider: ProviderID?
        var stage: Stage
    }

    let manager: SessionManager

    /// How far the deletion of that user is. That of another user, or one that cannot be decoded, is removed.
    func entry(of userID: AuthUser.ID) async -> Entry? {
        var found: Entry?
        await update { entry in
            if entry?.userID != userID { entry = nil }
            found = entry
        }
        return found
    }

    /// Whether a deletion of that user, which was cut off, withdraws the app's access at a provider itself.
    ///
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func withdrawsAccess(at provider: ProviderID, of userID: AuthUser.ID) async throws(AuthError) -> Bool {
        let entry: Entry? = try await manager.readNotes().notes.part(.deletion)
        return entry?.userID == userID && entry?.provider == provider
    }

    /// Stores the step that is about to be taken, or restores an earlier note; `nil` for none.
    func note(_ entry: Entry?) async { await update { $0 = entry } }

    /// The person agreed at the provider again, which renews the access that was revoked there.
    func accessRenewed(at provider: ProviderID, by userID: AuthUser.ID) async {
        // In one step with reading the record: the deletion may have finished meanwhile, and leaves no note.
        await update { entry in
            if entry?.userID != userID { entry = nil }
            if entry?.provider == provider, entry?.stage == .deleting { entry?.stage = .revoking }
        }
    }

    private func update(_ change: (inout Entry?) -> Void) async {
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in try notes.change(.deletion, change) }
    }
}
