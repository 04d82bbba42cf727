public import AuthStreams

/// The account operations of a ``ScriptedRepository``. Operations that the test does not set succeed.
///
/// ```swift
/// var account = ScriptedAccount()
/// account.revocable = [.kakao]
/// account.deleteAccount = { _ in throw AuthError(.requiresRecentSignIn, "Too long ago.") }
/// let repository = ScriptedRepository(account: account)
/// ```
public struct ScriptedAccount: Sendable {
    /// `AuthRepository.answer(_:with:in:)`; unless set, the session of the change, or one of Kakao.
    public var answer: @Sendable (Challenge, ChallengeAnswer, AuthSession?) async throws -> AuthSession = {
        $2 ?? ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))
    }
    /// `AuthRepository.signUp(with:)`; the default session of the credential unless set.
    public var signUp: @Sendable (Credential) async throws -> AuthSession = { ScriptedRepository.session(of: $0) }
    /// `AuthRepository.prepare(_:in:)`; `null` unless set.
    public var prepare: @Sendable (Preparation, AuthSession?) async throws -> AuthJSON = { _, _ in .null }
    /// `AuthRepository.apply(_:to:)`; the same session unless set.
    public var apply: @Sendable (SecurityChange, AuthSession) async throws -> AuthSession = { $1 }
    /// `AuthRepository.secondFactors(of:)`; none unless set.
    public var secondFactors: @Sendable (AuthSession) async throws -> [Challenge.Factor] = { _ in [] }
    /// `AuthRepository.passkeys(of:)`; none unless set.
    public var passkeys: @Sendable (AuthSession) async throws -> [Passkey] = { _ in [] }
    /// `AuthRepository.refresh(_:)`; the same session unless set.
    public var refresh: @Sendable (AuthSession) async throws -> AuthSession = { $0 }
    /// `AuthRepository.signInAnonymously()`; each is another user unless set.
    public var signInAnonymously: @Sendable () async throws -> AuthSession = {
        ScriptedAccount.anonymous("anonymous-\(UInt64.random(in: .min ... .max))")
    }
    /// `AuthRepository.reload(_:)`; the same session unless set.
    public var reload: @Sendable (AuthSession) async throws -> AuthSession = { $0 }
    /// `AuthRepository.updateProfile(_:of:)`; the user gets the name and the picture unless set.
    public var updateProfile: @Sendable (ProfileChanges, AuthSession) async throws -> AuthSession = {
        $1.changed(by: $0)
    }
    /// `AuthRepository.link(_:to:)`; the user gets the identity unless set.
    public var link: @Sendable (Credential, AuthSession) async throws -> AuthSession = { $1.linked(to: $0) }
    /// `AuthRepository.unlink(_:from:)`; the user loses the identity unless set.
    public var unlink: @Sendable (ProviderID, AuthSession) async throws -> AuthSession = { $1.unlinked(from: $0) }
    /// `AuthRepository.reauthenticate(_:with:)`; the same session unless set.
    public var reauthenticate: @Sendable (AuthSession, Credential) async throws -> AuthSession = { session, _ in session
    }
    /// The providers at which access can be revoked; none unless set.
    public var revocable: Set<ProviderID> = []
    /// `AuthRepository.revokeAccess(with:of:)`; does nothing unless set.
    public var revokeAccess: @Sendable (Credential, AuthSession) async throws -> Void = { _, _ in }
    /// `AuthRepository.deleteAccount(_:)`; does nothing unless set.
    public var deleteAccount: @Sendable (AuthSession) async throws -> Void = { _ in }
    /// `AuthRepository.signOutEverywhere(_:)`; does nothing unless set.
    public var signOutEverywhere: @Sendable (AuthSession) async throws -> Void = { _ in }

    /// Makes an account whose operations succeed.
    public init() {}

    /// The session of an anonymous user.
    public static func anonymous(_ id: AuthUser.ID) -> AuthSession {
        AuthSession(
            accessToken: Secret("scripted-access-token"), refreshToken: Secret("scripted-refresh-token"),
            expiresAt: nil, user: AuthUser(id: id, isAnonymous: true), provider: .anonymous)
    }
}

extension AuthSession {
    fileprivate func changed(by changes: ProfileChanges) -> AuthSession {
        var session = self
        if let change = changes.displayName { session.user.displayName = change.value }
        if let change = changes.photoURL { session.user.photoURL = change.value }
        return session
    }

    fileprivate func linked(to credential: Credential) -> AuthSession {
        var session = self
        session.user.isAnonymous = false
        session.user.providers.append(AuthUser.LinkedProvider(id: credential.provider, userID: credential.userID))
        return session
    }

    fileprivate func unlinked(from provider: ProviderID) -> AuthSession {
        var session = self
        session.user.providers.removeAll { $0.id == provider }
        return session
    }
}
