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
/// - The codes `userNotFound`, `userDisabled` and `sessionExpired` mean the server's definite no: the user was deleted or
///   disabled, the session revoked. Trouble on the way (network, 5xx, 429, malformed answers) has other codes, and is never
///   a success.
/// - After ``deleteAccount(_:)`` a refresh ends with a definite no; after ``signOut(_:)`` too, where the server hears of it.
///
/// `AuthRepositoryContract`, of the module AuthStreamsTesting, checks every one of them.
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

    /// Makes a session of a refresh token that somebody else left, such as another SDK in an earlier version of the app.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Returns: The session, whoever it is of; its refresh token is the one to use from now on.
    /// - Throws: ``AuthError``, as ``refresh(_:)`` does.
    func adopt(_ left: AdoptableSession) async throws(AuthError) -> Session

    /// Tells the server that the session is over, where it wants to know.
    func signOut(_ session: Session) async throws(AuthError)

    /// Deletes the user's account.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` when the server wants a fresh sign-in first.
    func deleteAccount(_ session: Session) async throws(AuthError)
}

extension AuthRepository {
    /// Refuses, since not every server can tell whose a refresh token is.
    public func adopt(_ left: AdoptableSession) async throws(AuthError) -> Session {
        throw AuthError(
            .unsupportedProvider,
            "This repository cannot adopt a refresh token. Implement `adopt(_:)` in it.")
    }

    /// Makes a session of a refresh token of which nothing else is known.
    public func adopt(refreshToken: Secret) async throws(AuthError) -> Session {
        try await adopt(AdoptableSession(refreshToken: refreshToken))
    }
}
