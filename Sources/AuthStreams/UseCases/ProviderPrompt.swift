/// Asks the person at a provider for a credential, for a change of their account.
struct ProviderPrompt: Sendable {
    let provider: any AuthProvider
    private let request: AuthRequest
    private let refreshing: RefreshSession
    private var manager: SessionManager { refreshing.manager }

    /// - Parameter session: The session of the person who is expected to answer. The provider is told of their address there
    ///   and of their ID token, unless the request names others.
    init(
        provider: any AuthProvider, request: AuthRequest, expecting session: AuthSession? = nil,
        refreshing: RefreshSession
    ) {
        var request = request
        request.loginHint = request.loginHint ?? session?.user.providers.first { $0.id == provider.id }?.email
        request.idTokenHint =
            request.idTokenHint ?? (session?.provider == provider.id ? session?.openID?.idToken : nil)
        self.provider = provider
        self.request = request
        self.refreshing = refreshing
    }

    /// The method by which the person is asked.
    var method: SignInMethod { provider.method(of: request) }

    /// Checks what can be refused before anything is shown.
    ///
    /// - Throws: `unsupportedProvider` when the repository has no route for the provider, or the request names a method kind
    ///   that the provider lacks.
    func validate(for repository: any AuthRepository) throws(AuthError) {
        guard repository.accepts(provider.id) else { throw .withoutRoute(provider.id) }
        try provider.requireMethodKind(of: request)
    }

    /// Asks the person once.
    ///
    /// - Returns: The credential, with the profile that the provider sent earlier and the server does not have yet.
    /// - Throws: What the provider throws; `misconfigured` where its answer is not bound to the attempt.
    func credential(
        for purpose: AuthRequest.Purpose, in change: AccountChange
    ) async throws(AuthError) -> Credential {
        let steps = refreshing.steps(of: change)
        steps(.presenting)
        var request = request.serving(change, of: manager, reaching: steps) { [refreshing] preparation in
            try await refreshing.request(as: change.userID) { session throws(AuthError) in
                try await refreshing.repository.prepare(preparation, in: session)
            }
        }
        request.purpose = purpose
        request.hashesNonce = refreshing.repository.hashesNonce(of: provider.id)
        // The answer of a page is one step of a deletion, which the person has to ask for again.
        if change.subject.kind != .deletion {
            request.keepAttempts(
                for: .init(provider: provider.id, purpose: purpose, user: change.userID), in: manager)
        }
        let credential = try await provider.authenticate(request).value
        try credential.requireBound()
        return await manager.prepareCredential(credential, for: change)
    }
}

extension SessionManager {
    /// Checks and completes the credential of a change, before it is sent to the server.
    ///
    /// - Returns: The credential, with the profile that the provider sent earlier and the server does not have yet.
    func prepareCredential(_ credential: Credential, for change: AccountChange) async -> Credential {
        transition { $0.reached(.establishingSession, in: change, at: $1.uptime) }
        // The person has just renewed the app's access there.
        await DeletionJournal(manager: self).accessRenewed(at: credential.provider, by: change.userID)
        return await PendingProfiles(manager: self).attach(to: credential)
    }
}

extension Credential {
    /// - Throws: `misconfigured` where the answer is not bound to the attempt, so that it may be another person's.
    func requireBound() throws(AuthError) {
        guard isBound else {
            throw AuthError(
                .misconfigured,
                """
                The answer may be another person's, so it is no proof for linking or re-authentication. Either the provider's \
                app answered in a way that any app can imitate: ask by the provider's page, without a method kind or with \
                `.web`. Or other users of this machine could read the page's address in a process's arguments, or the \
                program runs as root: name a browser with `%f` in the variable BROWSER. Or the provider does not say that its credential is bound: set `isBound`.
                """, provider: provider)
        }
    }
}
