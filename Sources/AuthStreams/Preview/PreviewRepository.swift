import Foundation

/// A repository without a server, which accepts everything for the user of the preview.
struct PreviewRepository: AuthRepository {
    let user: AuthUser

    func session(by provider: ProviderID) -> Session {
        Session(
            accessToken: Secret("preview"), refreshToken: Secret("preview"), expiresAt: nil, user: user,
            provider: provider)
    }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> Session { session(by: credential.provider) }

    func refresh(_ session: Session) async throws(AuthError) -> Session { session }

    func signOut(_ session: Session) async throws(AuthError) {}

    func signInAnonymously() async throws(AuthError) -> Session { session(by: .anonymous) }

    func reload(_ session: Session) async throws(AuthError) -> Session { session }

    func updateProfile(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session { session }

    func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session { session }

    func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session { session }

    func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session { session }

    func deleteAccount(_ session: Session) async throws(AuthError) {}
}
