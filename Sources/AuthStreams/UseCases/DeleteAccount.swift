/// The use case 'delete the account': at the provider, at the server, and here, in that order.
///
/// ```
/// asked ─▶ prove again ─▶ note 'revoking' ─▶ revoke ─▶ note 'deleting' ─▶ delete ─▶ signedOut(.deleted)
///          (where it revokes, or the server wants it)                    └▶ server: sign in again first
/// ```
///
/// The credential to revoke comes from proving again, and is not stored. A deletion that was cut off, by an error or the end
/// of the process, is not resumed automatically. Iterated again, it resumes where it was.
public struct DeleteAccount: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Deletes the account of the user who is signed in, when iterated.
    ///
    /// The person is asked at the provider if the repository revokes there, or if the server requires a recent sign-in;
    /// twice in a row if the provider returns only a code, which works once. Turning back then changes nothing. An anonymous
    /// user is not asked. While a deletion is under way, a second one waits for it and shares its outcome; if the first is
    /// cancelled, the second resumes it.
    ///
    /// The stream's errors: `notSignedIn` and `unsupportedProvider` before anything is shown; `superseded` when the person
    /// signed out or changed meanwhile; or those of the provider and the repository. The user stays signed in then, and deleting
    /// again resumes the deletion. An account that the server no longer knows is a success.
    public func callAsFunction(
        with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<Void> {
        callAsFunction(asking: { _, _ in provider }, request)
    }

    /// - Parameter provider: Chooses who is asked, by the session and the provider of a deletion that was cut off; `nil` when
    ///   none of theirs is there.
    func callAsFunction(
        asking provider: @escaping @Sendable (Session, ProviderID?) throws -> (any AuthProvider)?,
        _ request: AuthRequest
    ) -> AuthStream<Void> {
        AuthStream(body: {
            do throws(AuthError) {
                guard let session = try await manager.waitUntilKnown() else { throw .notSignedIn }
                let deletion = deletion(of: session.user.id, asking: provider, request)
                return await manager.sharedDeletion(of: session.user.id).result { await deletion.body() }
            } catch {
                return .failure(error)
            }
        })
    }

    private func deletion(
        of user: AuthUser.ID,
        asking provider: @escaping @Sendable (Session, ProviderID?) throws -> (any AuthProvider)?,
        _ request: AuthRequest
    ) -> AuthStream<Void> {
        manager.change(.deletion) { session in
            // Another user may have signed in while this caller waited for another that deleted the same account.
            guard session.user.id == user else { throw AuthError.superseded }
            let entry = await DeletionJournal(manager: manager).entry(of: session.user.id)
            // An anonymous user has no provider that could prove who they are, and nothing to revoke.
            let asked = session.user.isAnonymous ? nil : try provider(session, entry?.provider)
            let prompt = asked.map {
                ProviderPrompt(provider: $0, request: request, expecting: session.user, manager: manager)
            }
            return (try plan(session, entry, prompt), asked?.id)
        } _: { change, plan in
            try await Deletion(
                plan: plan, change: change, repository: repository, manager: manager, refreshing: refreshing
            ).run()
        }
    }

    private func plan(
        _ session: Session, _ entry: DeletionJournal.Entry?, _ prompt: ProviderPrompt?
    ) throws(AuthError) -> Deletion.Plan {
        guard let prompt else {
            let identities = session.user.isAnonymous ? [] : session.identities
            if let missing = identities.first(where: repository.revokesAccess(at:)) { throw .withoutProvider(missing) }
            return Deletion.Plan(prompt: nil, mustRevoke: false, before: entry)
        }
        try prompt.validate(for: repository)
        let id = prompt.provider.id
        let isRevoked = entry?.stage == .deleting && entry?.provider == id
        return Deletion.Plan(
            prompt: prompt, mustRevoke: repository.revokesAccess(at: id) && !isRevoked, before: entry)
    }
}

extension Session {
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
