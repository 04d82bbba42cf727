public import Foundation

/// A way to turn a credential into a session: the protocol that connects your server.
///
/// ## What an implementation promises
///
/// - The server creates the session that a call returns in answer to that call. The session names the credential's
///   provider and a user, and its access token works. The same person is the same user each time.
/// - A refresh keeps user and provider, and its session can be refreshed again. If the server gives no refresh token, a
///   session lasts as long as its access token, and a refresh throws `sessionExpired` before any request.
/// - It throws only ``AuthError``, and never puts a credential or token in one.
/// - It does not retry: in one call no request is sent twice, and a refresh token is sent once. A question that is asked again after
///   a change is another one. A change whose answer was lost may be sent once more where the server ends the session otherwise, as
///   Supabase does at a second factor. Where a server answers that it did nothing for want of a nonce (RFC 9449 section 8), the
///   same request with that nonce is the first one.
/// - It throws `cancelled` promptly when its task is cancelled.
/// - The codes `userNotFound`, `userDisabled` and `sessionExpired` mean that the session is over: the user was deleted
///   or disabled, or the session revoked. If the server's answer says more than the code, the error's parameter
///   `endsSession` has the reason. Transport failures (network, 5xx, 429, malformed answers) have other codes, and are
///   never a success.
/// - An access token that the server refuses is `invalidCredential` with `refusesAccessToken`. It ends no session, and
///   consumes no credential of the same request: the library refreshes the session and repeats the request once.
/// - A change of the session (reload, profile, link, unlink, re-authenticate) returns a session of the same user, with
///   tokens that work from then on. A conflict carries the data to continue; see ``AuthError/conflict``.
/// - After ``deleteAccount(_:)`` a refresh is rejected terminally; after ``signOut(_:)`` too, if the server is told
///   about it.
///
/// `AuthRepositoryContract`, of the module AuthStreamsTesting, checks them.
public protocol AuthRepository: Sendable {
    /// Returns whether the server takes this provider's credentials. Called before anything is shown or sent.
    func accepts(_ provider: ProviderID) -> Bool

    /// Returns whether a session that was stored is one of this server; `true` unless implemented.
    ///
    /// An update of the app may configure another server, to which no token of the earlier one may be sent. A session that is
    /// not the server's is over: at launch the state is signed out with ``SignOutReason/expired``, and nothing is sent.
    func owns(_ session: AuthSession) -> Bool

    /// Creates a session from a credential.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no route for the provider,
    ///   `invalidCredential` if the server refuses the credential.
    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession

    /// Makes an account, and signs in to it.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `accountExists` if there is one, `invalidInput` for a password that the server refuses, with its
    ///   rule in the explanation.
    func signUp(with credential: Credential) async throws(AuthError) -> AuthSession

    /// Has the server prepare what the person continues with, such as a mail with a link or the options of a passkey.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Parameters:
    ///   - preparation: What the person continues with.
    ///   - session: The session of the user who is signed in, with a valid access token; `nil` for a sign-in and a new password.
    /// - Returns: What the server answered with; `null` if there is nothing to know.
    func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON

    /// Sends the person's answer to a challenge of the server.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request: for repositories that throw no ``AuthError/challenge``.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, as the repository threw it. The repository stores nothing of it.
    ///   - answer: The answer. The use case has checked its form.
    ///   - session: The session of a link, a re-authentication or another change of the account, with a valid access token; `nil`
    ///     for a sign-in.
    /// - Returns: The session that the challenged request would have returned.
    /// - Throws: ``AuthError`` with the next ``AuthError/challenge``; `codeMismatch` or `invalidInput` with a challenge, if the
    ///   person may answer again; or an error without a challenge, which ends the attempt. After `network`, `server`,
    ///   `rateLimited`, and `timedOut` without a `serverCode`, the person is asked the same again without one, too.
    func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession

    /// Gets the next access token.
    ///
    /// - Returns: A session of the same user; its refresh token is the one to use from now on.
    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession

    /// Gets the next access token, and reports errors that do not end the refresh; the same as ``refresh(_:)`` unless
    /// implemented. This is the one that the library calls.
    ///
    /// - Parameters:
    ///   - session: The session to refresh.
    ///   - onWarning: Called for each such error, such as of an ID token that could not be verified and changes nothing about
    ///     the user. It becomes an event ``AuthEvent/Kind/providerWarning``.
    func refresh(
        _ session: AuthSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession

    /// What happens to a refresh token when it is used; ``RefreshTokenRule/singleUse`` unless implemented.
    ///
    /// It decides how the library recovers when the answer to a refresh is lost.
    var refreshTokenRule: RefreshTokenRule { get }

    /// Whether the server compares the nonce in a provider's ID tokens with the SHA-256 of ``Credential/rawNonce`` in hexadecimal, as
    /// Supabase does for all providers, and Firebase for its providers `oidc.…`; `false` unless implemented.
    ///
    /// The providers of AuthStreamsOAuth then request ID tokens with that hash. Apple's have it at any rate.
    func hashesNonce(of provider: ProviderID) -> Bool

    /// Creates a session from a refresh token of another SDK, such as that of an earlier version of the app.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Returns: The session of the token's user; its refresh token is the one to use from now on.
    /// - Throws: ``AuthError``, as ``refresh(_:)`` does.
    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession

    /// Creates a session from a refresh token of another SDK, and reports errors that do not prevent it, as
    /// ``refresh(_:onWarning:)`` does; the same as ``adopt(_:)`` unless implemented. This is the one that the library calls.
    func adopt(
        _ adoptable: AdoptableSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession

    /// Tells the server that the session is over, if the server supports that.
    ///
    /// - Parameter session: Its access token is empty if a user signs out before ``adopt(_:)`` has succeeded: the refresh
    ///   token alone identifies the session.
    func signOut(_ session: AuthSession) async throws(AuthError)

    /// Ends all sessions of the user on every device, including this one.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    func signOutEverywhere(_ session: AuthSession) async throws(AuthError)

    /// Creates a session for a new user without an identity.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    func signInAnonymously() async throws(AuthError) -> AuthSession

    /// Gets the user as the server has them now.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Returns: The session with that user. The tokens are its own, or others that work from then on.
    /// - Throws: ``AuthError``; `invalidResponse` if the server answers with another user.
    func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession

    /// Changes the user's name and picture.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Returns: The session with the user as the server has them then.
    func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession

    /// Changes what the user signs in with.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Returns: The session, with tokens that work from then on.
    /// - Throws: ``AuthError``; `requiresRecentSignIn` if the server requires a recent sign-in, `invalidInput` for a password that
    ///   it refuses.
    func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession

    /// Returns the second factors of the user.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor]

    /// Returns the passkeys of the user.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    func passkeys(of session: AuthSession) async throws(AuthError) -> [Passkey]

    /// Adds an identity to the user. An anonymous user becomes a permanent one and keeps the identifier.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `credentialInUse` if the identity is another user's, `accountExists` if its e-mail is,
    ///   both with an ``AuthError/conflict``.
    func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession

    /// Removes an identity from the user.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` if the server requires a recent sign-in.
    func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession

    /// Confirms the user's identity again: from then on the sign-in counts as recent.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `credentialInUse` if the credential is another user's.
    func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError) -> AuthSession

    /// Returns whether ``revokeAccess(with:of:)`` supports that provider; `false` unless implemented.
    func revokesAccess(at provider: ProviderID) -> Bool

    /// Withdraws the app's access at the provider, before the account is deleted.
    ///
    /// - Parameters:
    ///   - credential: The unredeemed credential of the re-authentication that precedes this call. Nothing is stored
    ///     for it earlier.
    ///   - session: The session, re-authenticated.
    func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError)

    /// Deletes the user's account.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` if the server requires a recent sign-in.
    func deleteAccount(_ session: AuthSession) async throws(AuthError)
}

/// What the server prepares before the person can continue. New preparations may be added; keep a `default`.
public enum Preparation: Hashable, Sendable {
    /// A mail with a link for signing in. The link opens that URL, with the server's code in its query.
    case emailLink(to: String, continueURL: URL)
    /// A mail with which the person sets a new password. The call succeeds also for an address that is not known, so that it does
    /// not tell who has an account.
    case passwordReset(to: String)
    /// A mail with which the person confirms the address of the session's user.
    case emailVerification
    /// The options of a passkey's assertion: for a sign-in, or for the passkeys of the session's user.
    ///
    /// The answer is an object. Its member `publicKey` is a `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 section
    /// 5.1.9). Its member `members`, if there is one, has texts for ``Credential/members``.
    case passkeyAssertion
    /// The options of a new passkey for the session's user; without a question to the person if it is conditional.
    ///
    /// The answer is an object as of ``passkeyAssertion``, whose `publicKey` is a `PublicKeyCredentialCreationOptionsJSON` (section
    /// 5.1.8).
    case passkeyRegistration(isConditional: Bool)
}

/// A change of what the user signs in with. New changes may be added; keep a `default`.
public enum SecurityChange: Hashable, Sendable {
    /// Changes or sets the password.
    case setPassword(Secret)
    /// Adds an authenticator app as a second factor (RFC 6238), with the name that the person gave it. A server asks for the first
    /// code before, by a ``Challenge/Step/enrollment(_:)``.
    case addFactor(named: String?)
    /// Removes a second factor.
    case removeFactor(Challenge.Factor.ID)
    /// Removes a passkey.
    case removePasskey(Passkey.ID)

    /// The operation, for errors and events.
    var operation: AuthOperation {
        switch self {
        case .setPassword: .passwordChange
        case .addFactor: .enrollment
        case .removeFactor: .factorRemoval
        case .removePasskey: .passkeyRemoval
        }
    }
}

/// What happens to a refresh token when it is used (RFC 9700 section 4.14).
public enum RefreshTokenRule: Hashable, Sendable {
    /// The token stays valid, so a refresh whose answer was lost is sent again (Firebase, Google).
    case reusable
    /// The answer replaces the token, and the server may treat a second use as a theft. A refresh whose answer was lost
    /// is sent again all the same; if that is refused, the session is over with ``SignOutReason/refreshInterrupted``.
    case singleUse
}

extension AuthRepository {
    /// Returns `true`.
    public func owns(_ session: AuthSession) -> Bool { true }

    /// Refreshes without warnings.
    public func refresh(
        _ session: AuthSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        try await refresh(session)
    }

    /// The safe default, `singleUse`.
    public var refreshTokenRule: RefreshTokenRule { .singleUse }

    /// Returns `false`.
    public func hashesNonce(of provider: ProviderID) -> Bool { false }

    /// Throws `unsupportedProvider`.
    public func signUp(with credential: Credential) async throws(AuthError) -> AuthSession {
        throw .unsupported("make accounts", implement: "signUp(with:)")
    }

    /// Throws `unsupportedProvider`.
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        throw .unsupported("send mails or prepare passkeys", implement: "prepare(_:in:)")
    }

    /// Throws `unsupportedProvider`.
    public func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession {
        throw .unsupported("change passwords, second factors or passkeys", implement: "apply(_:to:)")
    }

    /// Throws `unsupportedProvider`.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        throw .unsupported("list second factors", implement: "secondFactors(of:)")
    }

    /// Throws `unsupportedProvider`.
    public func passkeys(of session: AuthSession) async throws(AuthError) -> [Passkey] {
        throw .unsupported("list passkeys", implement: "passkeys(of:)")
    }

    /// Throws `unsupportedProvider`.
    public func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        throw .unsupported("answer challenges", implement: "answer(_:with:in:)")
    }

    /// Throws `unsupportedProvider`.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        throw .unsupported("end sessions on other devices", implement: "signOutEverywhere(_:)")
    }

    /// Throws `unsupportedProvider`.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        throw .unsupported("make anonymous users", implement: "signInAnonymously()")
    }

    /// Throws `unsupportedProvider`.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        throw .unsupported("reload users", implement: "reload(_:)")
    }

    /// Throws `unsupportedProvider`.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        throw .unsupported("change profiles", implement: "updateProfile(_:of:)")
    }

    /// Throws `unsupportedProvider`.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        throw .unsupported("link identities", implement: "link(_:to:)")
    }

    /// Throws `unsupportedProvider`.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        throw .unsupported("unlink identities", implement: "unlink(_:from:)")
    }

    /// Throws `unsupportedProvider`.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        throw .unsupported("re-authenticate", implement: "reauthenticate(_:with:)")
    }

    /// Returns `false`.
    public func revokesAccess(at provider: ProviderID) -> Bool { false }

    /// Throws `unsupportedProvider`.
    public func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        throw .unsupported("revoke access at the provider", implement: "revokeAccess(with:of:)")
    }

    /// Throws `unsupportedProvider`, since not every server can identify the user of a refresh token.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        throw .unsupported("adopt a refresh token", implement: "adopt(_:)")
    }

    /// Adopts without warnings.
    public func adopt(
        _ adoptable: AdoptableSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        try await adopt(adoptable)
    }

    /// Creates a session from a refresh token without further data.
    public func adopt(refreshToken: Secret) async throws(AuthError) -> AuthSession {
        try await adopt(AdoptableSession(refreshToken: refreshToken))
    }
}

extension AuthError {
    fileprivate static func unsupported(_ what: String, implement method: String) -> Self {
        AuthError(.unsupportedProvider, "This repository cannot \(what). Implement `\(method)` in it.")
    }
}
