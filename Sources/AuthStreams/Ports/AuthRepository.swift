/// The role 'turn a credential into a session': what stands for your server.
///
/// ## What an implementation promises
///
/// - A session it returns was made by the server in answer to this very call, names the credential's provider and a user,
///   and has an access token that works. The same person is the same user each time.
/// - A refresh keeps user and provider; what it returns can be refreshed again. Where the server gives no refresh token, a
///   session lasts as long as its access token, and a refresh ends with `sessionExpired` before any request.
/// - It throws only ``AuthError``, and never puts a credential or token in one.
/// - It retries nothing itself: in one call no request is sent twice, and a refresh token once.
/// - It ends promptly with `cancelled` when its task is cancelled.
/// - The codes `userNotFound`, `userDisabled` and `sessionExpired` say that the session is over: the user was deleted or
///   disabled, the session revoked. Where the server's words say more than the code, the error's parameter `endsSession` has
///   the reason. Trouble on the way (network, 5xx, 429, malformed answers) has other codes, and is never a success.
/// - An access token that the server refuses is `invalidCredential` with `refusesAccessToken`. It ends no session, and uses up
///   no credential that went along: the library refreshes the session, and repeats the request once.
/// - A change of the session (link, unlink, re-authenticate) returns a session of the same user, with tokens that work from
///   then on. A conflict carries what is needed to go on; see ``AuthError/conflict``.
/// - After ``deleteAccount(_:)`` a refresh ends with a definite no; after ``signOut(_:)`` too, where the server hears of it.
///
/// `AuthRepositoryContract`, of the module AuthStreamsTesting, checks them.
public protocol AuthRepository: Sendable {
    /// Whether the server takes this provider's credentials. Asked before anything is shown or sent.
    func accepts(_ provider: ProviderID) -> Bool

    /// Makes a session of a credential.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request when there is no route for the provider,
    ///   `invalidCredential` when the server refuses the credential.
    func signIn(with credential: Credential) async throws(AuthError) -> Session

    /// Gets the next access token.
    ///
    /// - Returns: A session of the same user; its refresh token is the one to use from now on.
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// What becomes of a refresh token by being used; ``RefreshTokenRule/singleUse`` unless implemented.
    ///
    /// It decides what is done when the answer to a refresh was lost.
    var refreshTokenRule: RefreshTokenRule { get }

    /// Makes a session of a refresh token that somebody else left, such as another SDK in an earlier version of the app.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Returns: The session, whoever it is of; its refresh token is the one to use from now on.
    /// - Throws: ``AuthError``, as ``refresh(_:)`` does.
    func adopt(_ left: LegacySession) async throws(AuthError) -> Session

    /// Tells the server that the session is over, where it wants to know.
    func signOut(_ session: Session) async throws(AuthError)

    /// Ends all sessions of the user, on every device, this one's included.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    func signOutEverywhere(_ session: Session) async throws(AuthError)

    /// Makes a session of a new user who has no identity yet.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    func signInAnonymously() async throws(AuthError) -> Session

    /// Adds an identity to the user. An anonymous user becomes a lasting one and keeps the identifier.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `credentialInUse` when the identity is another user's, `accountExists` when its e-mail is,
    ///   both with a ``AuthError/conflict``.
    func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session

    /// Takes an identity from the user.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` when the server wants a fresh sign-in first.
    func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session

    /// Proves once more that it is them: from here on the sign-in counts as recent.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Throws: ``AuthError``; `credentialInUse` when the credential is another user's.
    func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session

    /// Whether ``revokeAccess(with:of:)`` has a way to that provider; `false` unless implemented.
    func revokesAccess(at provider: ProviderID) -> Bool

    /// Withdraws at the provider what the app may do there, before the account is deleted.
    ///
    /// - Parameters:
    ///   - credential: What the re-authentication just gave, and nobody has redeemed. Nothing is kept for it before.
    ///   - session: The session, re-authenticated.
    func revokeAccess(with credential: Credential, of session: Session) async throws(AuthError)

    /// Deletes the user's account.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` when the server wants a fresh sign-in first.
    func deleteAccount(_ session: Session) async throws(AuthError)
}

/// What becomes of a refresh token by being used (RFC 9700 section 4.14).
public enum RefreshTokenRule: Hashable, Sendable {
    /// It stays good, so a refresh whose answer was lost is sent again (Firebase, Google).
    case reusable
    /// The answer replaces it, and the server may take a second use for a theft. A refresh whose answer was lost is sent
    /// once more; when that is refused, the session is over as ``SignOutReason/refreshInterrupted``.
    case singleUse
}

extension AuthRepository {
    /// The careful one.
    public var refreshTokenRule: RefreshTokenRule { .singleUse }

    /// Refuses.
    public func signOutEverywhere(_ session: Session) async throws(AuthError) {
        throw .withoutWay("end sessions on other devices", implement: "signOutEverywhere(_:)")
    }

    /// Refuses.
    public func signInAnonymously() async throws(AuthError) -> Session {
        throw .withoutWay("make anonymous users", implement: "signInAnonymously()")
    }

    /// Refuses.
    public func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session {
        throw .withoutWay("link identities", implement: "link(_:to:)")
    }

    /// Refuses.
    public func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session {
        throw .withoutWay("unlink identities", implement: "unlink(_:from:)")
    }

    /// Refuses.
    public func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session {
        throw .withoutWay("re-authenticate", implement: "reauthenticate(_:with:)")
    }

    /// `false`: there is no way.
    public func revokesAccess(at provider: ProviderID) -> Bool { false }

    /// Refuses.
    public func revokeAccess(with credential: Credential, of session: Session) async throws(AuthError) {
        throw .withoutWay("revoke access at the provider", implement: "revokeAccess(with:of:)")
    }

    /// Refuses, since not every server can tell whose a refresh token is.
    public func adopt(_ left: LegacySession) async throws(AuthError) -> Session {
        throw .withoutWay("adopt a refresh token", implement: "adopt(_:)")
    }

    /// Makes a session of a refresh token of which nothing else is known.
    public func adopt(refreshToken: Secret) async throws(AuthError) -> Session {
        try await adopt(LegacySession(refreshToken: refreshToken))
    }
}

extension AuthError {
    fileprivate static func withoutWay(_ what: String, implement method: String) -> Self {
        AuthError(.unsupportedProvider, "This repository cannot \(what). Implement `\(method)` in it.")
    }
}
