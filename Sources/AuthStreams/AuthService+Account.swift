public import Foundation

extension AuthService {
    /// Signs in with an existing credential, when iterated: the step from a credential to this service's session.
    ///
    /// Use it as the end of a chain that is made by hand, and to continue from `credentialInUse` as the other user, with
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
        signInUseCase(credential).map(SignInResult.init).retaining(self)
    }

    /// Signs in as a user without any identity, when iterated. An anonymous user who is signed in already stays signed in.
    ///
    /// Linking a provider later makes the user permanent, with the same identifier.
    ///
    /// - Returns: A stream of one result; see ``SignInAnonymously`` for the errors.
    public func signInAnonymously() -> AuthStream<SignInResult> {
        SignInAnonymously(repository: repository, manager: manager)().map(SignInResult.init).retaining(self)
    }

    /// Asks the server for the user who is signed in, as it has them now, when iterated.
    ///
    /// ```swift
    /// // The person comes back from the link in the verification mail.
    /// if try await auth.reload().value.isEmailVerified { … }
    /// ```
    ///
    /// - Returns: A stream of one result: the user, whom ``states`` show, too. See ``ReloadUser`` for the errors.
    public func reload() -> AuthStream<AuthUser> {
        ReloadUser(repository: repository, manager: manager, refreshing: refreshing)().retaining(self)
    }

    /// Changes the name and the picture of the user who is signed in, at the server, when iterated.
    ///
    /// ```swift
    /// let user = try await auth.updateProfile(displayName: .set("Minji"), photoURL: .remove).value
    /// ```
    ///
    /// - Parameters:
    ///   - displayName: The change of the name; unchanged unless given.
    ///   - photoURL: The change of the picture; unchanged unless given.
    /// - Returns: A stream of one result: the user, whom ``states`` show, too. See ``UpdateProfile`` for the errors.
    public func updateProfile(
        displayName: ProfileChanges.Change<String>? = nil, photoURL: ProfileChanges.Change<URL>? = nil
    ) -> AuthStream<AuthUser> {
        let changes = ProfileChanges(displayName: displayName, photoURL: photoURL)
        return UpdateProfile(repository: repository, manager: manager, refreshing: refreshing)(changes).retaining(self)
    }

    /// Adds an identity to the user who is signed in, when iterated. The state stays `signedIn`; progress goes to ``events``.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; any other ends with `unsupportedProvider`.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/link``.
    /// - Returns: A stream of one result: the user with the identity. See ``LinkProvider`` for the errors, and
    ///   ``AuthError/conflict`` for how to continue from a conflict of accounts.
    public func link(
        with id: ProviderID, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let method = SignInMethod(id, using: request.methodKind)
        let registry = registry
        return LinkProvider(repository: repository, manager: manager, refreshing: refreshing)(
            asking: { _ in try registry.provider(for: method) }, request
        ).retaining(self)
    }

    /// Adds an identity by an existing credential, when iterated: that of an `accountExists` conflict, after a sign-in
    /// with a provider that the account has.
    ///
    /// - Returns: A stream of one result; see ``LinkProvider``.
    public func link(credential: Credential) -> AuthStream<AuthUser> {
        LinkProvider(repository: repository, manager: manager, refreshing: refreshing)(credential).retaining(self)
    }

    /// Removes an identity from the user who is signed in, when iterated. Removing the last one ends with
    /// `lastProvider`.
    ///
    /// - Returns: A stream of one result: the user without the identity. See ``UnlinkProvider`` for the errors.
    public func unlink(_ provider: ProviderID) -> AuthStream<AuthUser> {
        UnlinkProvider(repository: repository, manager: manager, refreshing: refreshing)(provider).retaining(self)
    }

    /// Asks the person to prove their identity again, when iterated: before an operation that otherwise ends with
    /// `requiresRecentSignIn`.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, the provider of the sign-in, otherwise the first of the user's.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/reauthenticate``.
    /// - Returns: A stream of one result: the user. See ``Reauthenticate`` for the errors.
    public func reauthenticate(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let (registry, kind) = (registry, request.methodKind)
        return Reauthenticate(repository: repository, manager: manager, refreshing: refreshing)(
            asking: { session in
                guard let provider = try registry.provider(of: session, preferring: id, using: kind) else {
                    throw AuthError.withoutProvider(of: session)
                }
                return provider
            }, request
        ).retaining(self)
    }

    /// Deletes the account of the user who is signed in, when iterated: at the provider, at the server and here.
    ///
    /// ```swift
    /// for await result in auth.deleteAccount() { … }   // signedOut(.deleted); after an error still signed in
    /// ```
    ///
    /// The person is asked again if the server requires it, and if the repository revokes the app's access at the provider.
    /// Access is revoked at one provider; a user with several identities may name which.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, that of an interrupted deletion, else the provider of the sign-in, else the
    ///     first of the user's.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask.
    /// - Returns: A stream of one result; see ``DeleteAccount`` for the errors, after any of which it can be iterated again.
    public func deleteAccount(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<Void> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let (registry, kind) = (registry, request.methodKind)
        return DeleteAccount(repository: repository, manager: manager, refreshing: refreshing)(
            asking: { session, begun in
                try registry.provider(of: session, preferring: id, else: begun, using: kind)
            }, request
        ).retaining(self)
    }

    /// The interrupted deletion of the user who is signed in; `nil` when there is none. Only ``deleteAccount(with:using:_:)``
    /// resumes it. Waits until the store was read, and a session of another SDK adopted.
    public var pendingDeletion: PendingDeletion? {
        get async {
            _ = try? await refreshing.presentSession()
            guard let user = manager.user else { return nil }
            return await DeletionJournal(manager: manager).entry(of: user.id).map {
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
