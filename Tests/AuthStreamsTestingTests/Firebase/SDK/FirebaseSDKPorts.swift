import AuthStreams
import AuthStreamsFirebase
import Foundation

// What the article on the function shows of an app that keeps Firebase's SDK. The SDK is the stand-in beside this file.

// SocialLogin: function by SDK
struct SocialLoginBySDK: CustomTokenSource {
    let format = SocialLoginFunction.Format.standard

    func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        let fields = try format.fields(for: credential)
        return try await firebaseErrors {
            let function = Functions.functions(region: "asia-northeast3").httpsCallable("socialLogin")
            return try format.customToken(in: try await function.call(fields).data)
        }
    }
}
// SocialLogin end

// SocialLogin: sign-in by SDK
struct SignInBySDK: CustomTokenSignIn {
    func signIn(withCustomToken token: Secret, from provider: ProviderID) async throws(AuthError) -> Session {
        try await firebaseErrors {
            let result = try await Auth.auth().signIn(withCustomToken: token.reveal())
            return try await result.user.session(
                from: provider, isNewUser: result.additionalUserInfo?.isNewUser == true)
        }
    }
}
// SocialLogin end

// SocialLogin: session by SDK
extension User {
    func session(
        from provider: ProviderID, isNewUser: Bool = false, forcingRefresh: Bool = false
    ) async throws -> Session {
        let token = try await getIDTokenResult(forcingRefresh: forcingRefresh)
        return Session(
            accessToken: Secret(token.token), refreshToken: refreshToken.map { Secret($0) },
            expiresAt: token.expirationDate,
            user: AuthUser(
                id: uid, email: email, isEmailVerified: isEmailVerified, displayName: displayName, photoURL: photoURL,
                isAnonymous: isAnonymous),
            provider: provider, isNewUser: isNewUser)
    }
}
// SocialLogin end

// SocialLogin: repository by SDK
struct FirebaseSDKRepository: AuthRepository {
    let coordinator = SocialAuthCoordinator(source: SocialLoginBySDK(), firebase: SignInBySDK())

    func accepts(_ provider: ProviderID) -> Bool { provider == .kakao || provider == .naver }

    func signIn(with credential: Credential) async throws(AuthError) -> Session {
        try await coordinator.signIn(with: credential)
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        let user = try user(of: session)
        return try await firebaseErrors { try await user.session(from: session.provider, forcingRefresh: true) }
    }

    func signOut(_ session: Session) async throws(AuthError) {
        // The SDK may show another user by now, who stays signed in.
        guard Auth.auth().currentUser?.uid == session.user.id else { return }
        try await firebaseErrors { try Auth.auth().signOut() }
    }

    func deleteAccount(_ session: Session) async throws(AuthError) {
        let user = try user(of: session)
        try await firebaseErrors { try await user.delete() }
    }

    private func user(of session: Session) throws(AuthError) -> User {
        // Before the first unlock the SDK shows no user, which does not mean that the session is over.
        guard let user = Auth.auth().currentUser, user.uid == session.user.id else {
            throw AuthError(.storageLocked, "Firebase's SDK does not show this session's user.")
        }
        return user
    }
}
// SocialLogin end
