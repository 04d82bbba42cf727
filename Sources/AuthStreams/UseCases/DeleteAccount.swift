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
            return Deletion.Plan(beginning: .deleting(entry), prompt: nil)
        }
        try prompt.validate(for: refreshing.repository)
        let id = prompt.provider.id
        let isRevoked = entry?.stage == .deleting && entry?.provider == id
        let mustRevoke = refreshing.repository.revokesAccess(at: id) && !isRevoked
        return Deletion.Plan(beginning: mustRevoke ? .revoking(prompt) : .deleting(entry), prompt: prompt)
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
