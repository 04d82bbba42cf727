import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation

// What the article on leaving Firebase's SDK shows. The SDK is the stand-in beside this file.

/// Whether the device was unlocked since it started; a test's own.
enum ProtectedData {
    @TaskLocal static var isAvailable: @Sendable () -> Bool = { true }
}

func isProtectedDataAvailable() async -> Bool { ProtectedData.isAvailable() }

// LeavingTheSDK: adoptable session
func adoptableSession() async throws -> AdoptableSession? {
    // Before the first unlock the SDK shows no user, also where it has one.
    guard await isProtectedDataAvailable() else { throw AuthError(.storageLocked, "Not unlocked yet.") }
    guard let current = Auth.auth().currentUser, let token = current.refreshToken else { return nil }
    let user = current.authUser()  // without the claims, which may take a request
    // Of several identities, Firebase tells the one of the sign-in.
    let provider = user.providers.count == 1 ? user.providers[0].id : nil
    return AdoptableSession(refreshToken: Secret(token), user: user, provider: provider)
}
// LeavingTheSDK end

func updatedService(
    _ repository: FirebaseRepository, _ store: any SessionStore, providers: [AuthProviderFactory] = []
) -> AuthService {
    let (firebase, platform) = (AuthRepositoryFactory.repository(repository), AuthPlatform.isolated(store: store))
    // LeavingTheSDK: the service
    let auth = AuthService(
        firebase, providers: providers, platform: platform,  // .firebase(id: …), [.apple, …], .app
        // The sign-out is of the SDK on this device alone; it revokes nothing.
        adoption: SessionAdoption(find: adoptableSession, discard: { try Auth.auth().signOut() }))
    // LeavingTheSDK end
    return auth
}
