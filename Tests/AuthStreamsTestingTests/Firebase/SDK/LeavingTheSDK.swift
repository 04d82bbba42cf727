import AuthStreams
import AuthStreamsFirebase
import Foundation

// What the article on leaving Firebase's SDK shows. The SDK is the stand-in beside this file.

/// Whether the device was unlocked since it started; a test's own.
enum ProtectedData {
    @TaskLocal static var isAvailable: @Sendable () -> Bool = { true }
}

private func isProtectedDataAvailable() async -> Bool { ProtectedData.isAvailable() }

// LeavingTheSDK: adoptable session
func adoptableSession() async throws -> AdoptableSession? {
    // Before the first unlock the SDK shows no user, also where it has one.
    guard await isProtectedDataAvailable() else { throw AuthError(.storageLocked, "Not unlocked yet.") }
    guard let user = Auth.auth().currentUser, let token = user.refreshToken else { return nil }
    return AdoptableSession(
        refreshToken: Secret(token),
        user: AuthUser(
            id: user.uid, email: user.email, isEmailVerified: user.isEmailVerified, displayName: user.displayName,
            photoURL: user.photoURL, isAnonymous: user.isAnonymous))
}
// LeavingTheSDK end

func updatedService(
    _ repository: FirebaseRepository, _ store: any SessionStore, providers: [any AuthProvider] = [],
    callbacks: CallbackRouter = CallbackRouter()
) -> AuthService {
    // LeavingTheSDK: the service
    let auth = AuthService(
        repository: repository, providers: providers, store: store, callbacks: callbacks,
        // The sign-out is of the SDK on this device alone; it revokes nothing.
        adoption: SessionAdoption(find: adoptableSession, discard: { try Auth.auth().signOut() }))
    // LeavingTheSDK end
    return auth
}
