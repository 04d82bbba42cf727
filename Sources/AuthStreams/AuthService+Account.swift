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
        signInUseCase.result(of: credential).retaining(self, during: .signIn)
    }

    /// Makes an account with a credential and signs in to it, when iterated.
    ///
    /// ```swift
    /// let user = try await auth.signUp(credential: .password(email: email, password)).value.user
    /// ```
    ///
    /// A server that wants more of a new person, such as a nickname and the terms, asks for it by ``prompts``.
    ///
    /// - Returns: A stream of one result, as of ``signIn(credential:)``; `accountExists` if there is an account, `invalidInput` for
    ///   a password that the server refuses.
    public func signUp(credential: Credential) -> AuthStream<SignInResult> {
        signInUseCase.result(of: credential, for: .signUp).retaining(self, during: .signUp)
    }

    /// Asks the server to send a mail with which the person sets a new password.
    ///
    /// It succeeds also for an address that the server does not know, so that it does not tell who has an account.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` if the repository does not reset passwords, or its error.
    public func sendPasswordReset(to email: String) async throws(AuthError) {
        do throws(AuthError) { _ = try await repository.prepare(.passwordReset(to: email), in: nil) } catch {
            guard error.code != .userNotFound else { return }
            throw error.during(.passwordReset)
        }
    }

    /// Asks the server to send a mail with which the person who is signed in confirms their address. ``reload()`` learns of it.
    ///
    /// - Throws: ``AuthError``; `notSignedIn`, `unsupportedProvider` if the repository does not verify addresses, or its error.
    public func sendEmailVerification() async throws(AuthError) {
        _ = try await request(during: .emailVerification) { session throws(AuthError) in
            try await repository.prepare(.emailVerification, in: session)
        }
    }

    /// Changes the password of the user who is signed in, or sets one, when iterated.
    ///
    /// If the server requires a recent sign-in, the person is asked at the provider of their sign-in, and the change is sent once
    /// more.
    ///
    /// - Returns: A stream of one result: the user. Its errors: `notSignedIn`; `invalidInput` for a password that the server
    ///   refuses; `requiresRecentSignIn` if the service does not have the provider; `superseded`; those of the provider and the
    ///   repository.
    public func changePassword(to password: String) -> AuthStream<AuthUser> {
        apply(.setPassword(Secret(password)))
    }

    /// Adds an authenticator app as a second factor of the user who is signed in, when iterated (RFC 6238).
    ///
    /// The secret is shown by ``AuthPrompt/enrollment``, whose answer is the first code. A recent sign-in is asked for as by
    /// ``changePassword(to:)``.
    ///
    /// - Parameter name: What the person calls the factor; `nil` for none.
    /// - Returns: A stream of one result: the user, with errors as of ``changePassword(to:)``.
    public func enrollSecondFactor(named name: String? = nil) -> AuthStream<AuthUser> {
        apply(.addFactor(named: name))
    }

    /// Returns the second factors of the user who is signed in.
    ///
    /// - Throws: ``AuthError``; `notSignedIn`, `unsupportedProvider` if the repository has none, or its error.
    public func secondFactors() async throws(AuthError) -> [Challenge.Factor] {
        try await request(during: .request) { session throws(AuthError) in
            try await repository.secondFactors(of: session)
        }
    }

    /// Removes a second factor of the user who is signed in, when iterated. A recent sign-in is asked for as by
    /// ``changePassword(to:)``.
    ///
    /// - Returns: A stream of one result: the user, with errors as of ``changePassword(to:)``.
    public func removeSecondFactor(_ id: Challenge.Factor.ID) -> AuthStream<AuthUser> {
        apply(.removeFactor(id))
    }

    /// Returns the passkeys of the user who is signed in.
    ///
    /// One is added by ``link(with:using:_:)`` with ``ProviderID/passkey``.
    ///
    /// - Throws: ``AuthError``; `notSignedIn`, `unsupportedProvider` if the repository has none, or its error.
    public func passkeys() async throws(AuthError) -> [Passkey] {
        try await request(during: .request) { session throws(AuthError) in
            try await repository.passkeys(of: session)
        }
    }

    /// Removes a passkey of the user who is signed in, when iterated. A recent sign-in is asked for as by ``changePassword(to:)``.
    ///
    /// The server refuses it from then on. On the device it stays until the person removes it there.
    ///
    /// - Returns: A stream of one result: the user. Its errors: `lastProvider` if the server says that the user has no other way to
    ///   sign in; otherwise as of ``changePassword(to:)``.
    public func removePasskey(_ id: Passkey.ID) -> AuthStream<AuthUser> { apply(.removePasskey(id)) }

    /// Makes a passkey for the user who is signed in, without a question, if the system agrees.
    ///
    /// Call it right after a sign-in by a password: a password manager that has just filled in the password makes the passkey (the
    /// conditional mediation of WebAuthn Level 3; iOS 18, macOS 15). It does nothing where the system, the password manager or the
    /// server does not take part, and is never an error for the person. An event ``AuthEvent/Kind/changeFailed`` says why none was made, if the service and the server
    /// have passkeys.
    ///
    /// ```swift
    /// let result = try await auth.signIn(with: .password).value
    /// await auth.offerPasskey()
    /// ```
    ///
    /// - Returns: Whether a passkey was made.
    @discardableResult
    public func offerPasskey() async -> Bool {
        guard case .success = await link(with: .passkey, using: .conditional).result else { return false }
        return true
    }

    private func apply(_ change: SecurityChange) -> AuthStream<AuthUser> {
        AccountChanges(refreshing: refreshing).apply(change) { [registry] session in
            try registry.provider(of: session, preferring: nil, using: nil)
        }.retaining(self, during: change.operation)
    }

    private func request<Value: Sendable>(
        during operation: AuthOperation, _ send: (AuthSession) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await AuthError.during(operation) { () throws(AuthError) in
            guard let session = try await refreshing.currentSession() else { throw .notSignedIn }
            return try await refreshing.request(as: session.user.id, by: send)
        }
    }

    /// Signs in as a user without any identity, when iterated. An anonymous user who is signed in already stays signed in.
    ///
    /// Linking a provider later makes the user permanent, with the same identifier.
    ///
    /// The attempt is one like any other: it supersedes the one under way, and shows its step. An anonymous user cannot sign in again,
    /// so none is replaced: it waits until it is known who is signed in. So it may be iterated at each launch.
    ///
    /// - Returns: A stream of one result. Its errors: `superseded` when another sign-in or a sign-out came in between; `storage`
    ///   when it cannot be known who was signed in; why the session of another SDK could not be adopted, because
    ///   an anonymous session would take its place (signing out discards it); or the repository's errors.
    public func signInAnonymously() -> AuthStream<SignInResult> {
        SignInAnonymously(refreshing: refreshing)().map { SignInResult($0) }.retaining(self, during: .signIn)
    }

    /// Asks the server for the user who is signed in, as it has them now, when iterated.
    ///
    /// ```swift
    /// // The person comes back from the link in the verification mail.
    /// if try await auth.reload().value.isEmailVerified { … }
    /// ```
    ///
    /// Call it after the server has changed the user by itself: an e-mail address was verified, or claims were given on another
    /// device.
    ///
    /// - Returns: A stream of one result: the user, whom ``states`` show, too. Its errors: `notSignedIn` before any request when no
    ///   user is signed in; `unsupportedProvider` when the repository does not reload; `superseded` when the person signed out or
    ///   another user signed in meanwhile; `invalidResponse`, without a change, when the server answers with another user; or
    ///   another error of the repository. When the server reports that the user was deleted or disabled, a refresh follows, whose
    ///   terminal rejection ends the session.
    public func reload() -> AuthStream<AuthUser> {
        AccountChanges(refreshing: refreshing).reload().retaining(self, during: .reload)
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
    /// - Returns: A stream of one result: the user, whom ``states`` show, too. Nothing is sent when there is nothing to change. Its
    ///   errors: `notSignedIn` before any request when no user is signed in; `unsupportedProvider` when the repository does not
    ///   change profiles; `superseded` when the person signed out or another user signed in meanwhile; `invalidResponse` when the
    ///   server answers with another user; or another error of the repository.
    public func updateProfile(
        displayName: ProfileChanges.Change<String>? = nil, photoURL: ProfileChanges.Change<URL>? = nil
    ) -> AuthStream<AuthUser> {
        let changes = ProfileChanges(displayName: displayName, photoURL: photoURL)
        return AccountChanges(refreshing: refreshing).updateProfile(changes).retaining(self, during: .profile)
    }

    /// Adds an identity to the user who is signed in, when iterated. The state stays `signedIn`; progress goes to ``events``.
    ///
    /// An anonymous user becomes a permanent one, and keeps the identifier and its data.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; any other ends with `unsupportedProvider`.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/link``.
    /// - Returns: A stream of one result: the user with the identity. Its errors: `notSignedIn` and `unsupportedProvider` before
    ///   anything is shown; `superseded` when the person signed out or changed meanwhile, or began something else while they were
    ///   asked; or those of the provider and the repository. ``AuthError/conflict`` carries what is needed to continue from
    ///   `accountExists` and `credentialInUse`.
    public func link(
        with id: ProviderID, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let method = SignInMethod(id, using: request.methodKind)
        let registry = registry
        return AccountChanges(refreshing: refreshing).link(
            asking: { _ in try registry.provider(for: method) }, request
        ).retaining(self, during: .link)
    }

    /// Adds an identity by an existing credential, when iterated: that of an `accountExists` conflict, after a sign-in
    /// with a provider that the account has.
    ///
    /// Also the end of a chain that is made by hand: `kakao.authenticate().flatMap(auth.link(credential:))`.
    ///
    /// - Returns: A stream of one result: the user with the identity. Its errors: `notSignedIn` before any request when no user is
    ///   signed in; `misconfigured` for a credential that is not bound to its attempt (``Credential/isBound``); `superseded` when
    ///   the person signed out or another user signed in meanwhile; or the repository's errors, conflicts among them.
    public func link(credential: Credential) -> AuthStream<AuthUser> {
        AccountChanges(refreshing: refreshing).link(credential).retaining(self, during: .link)
    }

    /// Removes an identity from the user who is signed in, when iterated. Removing the last one ends with
    /// `lastProvider`.
    ///
    /// - Returns: A stream of one result: the user without the identity. Its errors, before any request: `notSignedIn` when no user
    ///   is signed in, `lastProvider` when the user has no other identity, `unsupportedProvider` when the user has none of that
    ///   provider, as an anonymous user. Then `superseded` when the person signed out or changed meanwhile, `requiresRecentSignIn`
    ///   when the server wants a re-authentication first; or another error of the repository.
    public func unlink(_ provider: ProviderID) -> AuthStream<AuthUser> {
        AccountChanges(refreshing: refreshing).unlink(provider).retaining(self, during: .unlink)
    }

    /// Asks the person to prove their identity again, when iterated: before an operation that otherwise ends with
    /// `requiresRecentSignIn`.
    ///
    /// Where the request has no ``AuthRequest/loginHint``, the user's address at that provider is the hint.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, the provider of the sign-in, otherwise the first of the user's.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask. It is asked as ``AuthRequest/Purpose/reauthenticate``.
    /// - Returns: A stream of one result: the user, as the server knows them now. Its errors, none of which ends the session:
    ///   `notSignedIn` and `unsupportedProvider` before anything is shown; `credentialInUse` when the person answers as another
    ///   user; `superseded` when the person signed out or changed meanwhile; or those of the provider and the repository.
    public func reauthenticate(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let (registry, kind) = (registry, request.methodKind)
        return AccountChanges(refreshing: refreshing).reauthenticate(
            asking: { try registry.requiredProvider(of: $0, preferring: id, using: kind) }, request
        ).retaining(self, during: .reauthentication)
    }

    /// Proves by an existing credential who the person is, when iterated, at the end of a chain that is made by hand.
    ///
    /// - Returns: As of ``reauthenticate(with:using:_:)``; `misconfigured` for a credential that is not bound to its attempt
    ///   (``Credential/isBound``).
    public func reauthenticate(credential: Credential) -> AuthStream<AuthUser> {
        AccountChanges(refreshing: refreshing).reauthenticate(credential).retaining(self, during: .reauthentication)
    }

    /// Deletes the account of the user who is signed in, when iterated: at the provider, at the server and here.
    ///
    /// ```swift
    /// try await auth.deleteAccount().value  // signedOut(.deleted); after an error still signed in
    /// ```
    ///
    /// The person is asked again if the server requires it, and if the repository revokes the app's access at the provider; twice in
    /// a row if the provider returns only a code, which works once. Turning back then changes nothing. An anonymous user is not
    /// asked. Access is revoked at one provider; a user with several identities may name which. While a deletion is under way, a
    /// second one waits for it and shares its outcome; if the first is cancelled, the second resumes it.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``. Unless given, that of an interrupted deletion, else the provider of the sign-in, else the
    ///     first of the user's.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice.
    ///   - request: Where to present, and what to ask.
    /// - Returns: A stream of one result. Its errors: `notSignedIn` and `unsupportedProvider` before anything is shown; `superseded`
    ///   when the person signed out or changed meanwhile; or those of the provider and the repository. The user stays signed in
    ///   then, and deleting again resumes the deletion. An account that the server no longer knows is a success.
    public func deleteAccount(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<Void> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        let (registry, kind) = (registry, request.methodKind)
        return DeleteAccount(refreshing: refreshing)(
            asking: { session, begun in
                try registry.provider(of: session, preferring: id, else: begun, using: kind)
            }, request
        ).retaining(self, during: .deletion)
    }

    /// The interrupted deletion of the user who is signed in; `nil` when there is none, and until the gate has passed after the
    /// launch. Only ``deleteAccount(with:using:_:)`` resumes it. Waits until the store was read, and a session of another SDK adopted.
    public var pendingDeletion: PendingDeletion? {
        get async {
            try? await refreshing.waitUntilKnown()
            guard let user else { return nil }
            return await DeletionJournal(manager: manager).entry(of: user.id).map {
                PendingDeletion(provider: $0.provider, isRevoked: $0.provider != nil && $0.stage == .deleting)
            }
        }
    }
}
