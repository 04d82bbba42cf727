import Foundation

/// A repository without a server. It does what it is asked in memory, or fails each request.
struct PreviewRepository: AuthRepository {
    let user: AuthUser
    let failure: AuthError?

    func session(of user: AuthUser, by provider: ProviderID) -> Session {
        Session(
            accessToken: Secret("preview"), refreshToken: Secret("preview"), expiresAt: nil, user: user,
            provider: provider)
    }

    private func attempt() throws(AuthError) { if let failure { throw failure } }

    private func changed(_ session: Session, _ change: (inout AuthUser) -> Void) throws(AuthError) -> Session {
        try attempt()
        var session = session
        change(&session.user)
        return session
    }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> Session {
        try attempt()
        return session(of: user, by: credential.provider)
    }

    func signInAnonymously() async throws(AuthError) -> Session {
        try attempt()
        return session(of: AuthUser(id: "anonymous", isAnonymous: true), by: .anonymous)
    }

    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> Session {
        try attempt()
        return session(of: adoptable.user ?? user, by: .anonymous)
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session { try changed(session) { _ in } }

    func reload(_ session: Session) async throws(AuthError) -> Session { try changed(session) { _ in } }

    func updateProfile(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        try changed(session) { user in
            if let name = changes.displayName { user.displayName = name.value }
            if let photo = changes.photoURL { user.photoURL = photo.value }
        }
    }

    func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session {
        try changed(session) { user in
            user.isAnonymous = false
            user.providers.removeAll { $0.id == credential.provider }
            user.providers.append(AuthUser.LinkedProvider(id: credential.provider))
        }
    }

    func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session {
        try changed(session) { $0.providers.removeAll { $0.id == provider } }
    }

    func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session {
        try changed(session) { _ in }
    }

    func signOut(_ session: Session) async throws(AuthError) { try attempt() }

    func signOutEverywhere(_ session: Session) async throws(AuthError) { try attempt() }

    func deleteAccount(_ session: Session) async throws(AuthError) { try attempt() }
}
