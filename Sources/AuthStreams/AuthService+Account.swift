extension AuthService {
    /// Signs in with a credential that is there already, when iterated: the step from a credential to this service's session.
    ///
    /// The end of a chain that is made by hand, and the way to continue from `credentialInUse` as the other user, with
    /// ``AuthConflict/credential``:
    ///
    /// ```swift
    /// for await result in kakao.authenticate().flatMap(auth.signIn(credential:)) { … }
    ///
    /// do throws(AuthError) { … } catch where error.code == .credentialInUse {
    ///     if let credential = error.conflict?.credential { user = try await auth.signIn(credential: credential).value.user }
    /// }
    /// ```
    ///
    /// - Returns: A stream of one result, as of ``signIn(with:using:_:)-(ProviderID,_,_)``.
    public func signIn(credential: Credential) -> AuthStream<SignInResult> {
        SignIn(repository: repository, keeper: keeper)(credential).map(SignInResult.init).retaining(self)
    }

    /// Signs in as a user without any identity, when iterated; an anonymous user who is signed in stays.
    ///
    /// Linking a provider later makes a lasting user of it, with the same identifier.
    ///
    /// - Returns: A stream of one result; see ``SignInAnonymously`` for the errors.
    public func signInAnonymously() -> AuthStream<SignInResult> {
        SignInAnonymously(repository: repository, keeper: keeper)().map(SignInResult.init).retaining(self)
    }

    /// Adds an identity to the user who is signed in, when iterated. The state stays `signedIn`; progress goes to ``events``.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; any other ends with `unsupportedProvider`.
    ///   - means: Which way of the provider; unless given, the request's, else the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/link``.
    /// - Returns: A stream of one result: the user with the identity. See ``LinkProvider`` for the errors, and
    ///   ``AuthError/conflict`` for how to go on from a conflict of accounts.
    public func link(
        with id: ProviderID, using means: SignInMeans? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.means = means ?? request.means
        let method = SignInMethod(id, using: request.means)
        return LinkProvider(repository: repository, keeper: keeper, refreshing: refreshing)(
            asking: { [registry] in try registry.provider(for: method) }, request
        ).retaining(self)
    }

    /// Adds an identity by a credential that is there already, when iterated: what an `accountExists` left, after signing in
    /// the way that the account has.
    ///
    /// - Returns: A stream of one result; see ``LinkProvider``.
    public func link(credential: Credential) -> AuthStream<AuthUser> {
        LinkProvider(repository: repository, keeper: keeper, refreshing: refreshing)(credential).retaining(self)
    }

    /// Takes an identity from the user who is signed in, when iterated; never the last one.
    ///
    /// - Returns: A stream of one result: the user without the identity. See ``UnlinkProvider`` for the errors.
    public func unlink(_ provider: ProviderID) -> AuthStream<AuthUser> {
        UnlinkProvider(repository: repository, keeper: keeper, refreshing: refreshing)(provider).retaining(self)
    }

    /// Lets the person prove once more that it is them, when iterated: before what ends with `requiresRecentSignIn` otherwise.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, the one that was signed in with, else the first of the user's.
    ///   - means: Which way of the provider; unless given, the request's, else the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/reauthenticate``.
    /// - Returns: A stream of one result: the user. See ``Reauthenticate`` for the errors.
    public func reauthenticate(
        with id: ProviderID? = nil, using means: SignInMeans? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.means = means ?? request.means
        return Reauthenticate(repository: repository, keeper: keeper, refreshing: refreshing)(
            asking: { [registry, means = request.means] session in
                guard let provider = try registry.provider(of: session, preferring: id, using: means) else {
                    throw AuthError.withoutProvider(of: session)
                }
                return provider
            }, request
        ).retaining(self)
    }

    /// Deletes the account of who is signed in, when iterated: at the provider, at the server and here.
    ///
    /// ```swift
    /// for await result in auth.deleteAccount() { … }   // signedOut(.deleted), or what went wrong, still signed in
    /// ```
    ///
    /// The person is asked again where the server wants it, and where the repository withdraws the app's access at the
    /// provider. One provider is asked and its access withdrawn; a user with several identities may name which.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, that of a deletion which was cut off, else the one that was signed in with,
    ///     else the first of the user's.
    ///   - means: Which way of the provider; unless given, the request's, else the provider's own choice.
    ///   - request: Where to present, and what to ask.
    /// - Returns: A stream of one result; see ``DeleteAccount`` for the errors, after any of which it can be iterated again.
    public func deleteAccount(
        with id: ProviderID? = nil, using means: SignInMeans? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<Void> {
        var request = request
        request.means = means ?? request.means
        return DeleteAccount(repository: repository, keeper: keeper, refreshing: refreshing)(
            asking: { [registry, means = request.means] session, begun in
                try registry.provider(of: session, preferring: id, else: begun, using: means)
            }, request
        ).retaining(self)
    }

    /// The deletion of the user who is signed in that was begun and cut off, if there is one. ``deleteAccount(with:using:_:)``
    /// goes on with it; nothing else does.
    public var pendingDeletion: PendingDeletion? {
        get async {
            guard let session = try? await keeper.known() else { return nil }
            return await DeletionJournal(keeper: keeper).entry(of: session.user.id).map {
                PendingDeletion(provider: $0.provider, isRevoked: $0.provider != nil && $0.stage == .deleting)
            }
        }
    }
}

extension AuthError {
    fileprivate static func withoutProvider(of session: Session) -> Self {
        AuthError(
            .unsupportedProvider,
            session.user.isAnonymous
                ? "An anonymous user has no identity to prove. Link one first."
                : "None of the user's providers was given to the service. Add one to its providers, or name another.",
            provider: session.provider)
    }
}
