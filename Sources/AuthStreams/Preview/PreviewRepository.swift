import Foundation

/// A repository without a server. It does what it is asked in memory, or fails each request.
struct PreviewRepository: AuthRepository {
    let user: AuthUser
    let failure: AuthError?

    func session(of user: AuthUser, by provider: ProviderID) -> AuthSession {
        AuthSession(
            accessToken: Secret("preview"), refreshToken: Secret("preview"), expiresAt: nil, user: user,
            provider: provider)
    }

    private func attempt() throws(AuthError) { if let failure { throw failure } }

    private func changed(_ session: AuthSession, _ change: (inout AuthUser) -> Void) throws(AuthError) -> AuthSession {
        try attempt()
        var session = session
        change(&session.user)
        return session
    }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        try attempt()
        return session(of: user, by: credential.provider)
    }

    func signInAnonymously() async throws(AuthError) -> AuthSession {
        try attempt()
        return session(of: AuthUser(id: "anonymous", isAnonymous: true), by: .anonymous)
    }

    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        try attempt()
        return session(of: adoptable.user ?? user, by: .anonymous)
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { try changed(session) { _ in } }

    func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession { try changed(session) { _ in } }

    func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession {
        try changed(session) { user in
            if let name = changes.displayName { user.displayName = name.value }
            if let photo = changes.photoURL { user.photoURL = photo.value }
        }
    }

    func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        try changed(session) { user in
            user.isAnonymous = false
            user.providers.removeAll { $0.id == credential.provider }
            user.providers.append(AuthUser.LinkedProvider(id: credential.provider))
        }
    }

    func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        try changed(session) { $0.providers.removeAll { $0.id == provider } }
    }

    func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError) -> AuthSession {
        try changed(session) { _ in }
    }

    func signOut(_ session: AuthSession) async throws(AuthError) { try attempt() }

    func signOutEverywhere(_ session: AuthSession) async throws(AuthError) { try attempt() }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) { try attempt() }
}
