import AuthStreams
import AuthStreamsFirebase
import Foundation

// What the article on keeping the SDK shows of an app that keeps Firebase's SDK. The SDK is the stand-in beside this file.

// KeepingTheSDK: function by SDK
struct SocialLoginBySDK: CustomTokenSource {
    let format = SocialLoginFunction.Format.standard

    func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        try await call(try format.fields(for: credential))
    }

    func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret {
        var fields = try format.fields(for: credential)
        fields["action"] = "reauthenticate"
        return try await call(fields)
    }

    // The SDK sends the ID token of its user with each call, so the one given here is not needed.
    func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
        var fields = try format.fields(for: credential)
        fields["action"] = "link"
        return try await call(fields)
    }

    func call(_ fields: [String: String]) async throws(AuthError) -> Secret {
        try await firebaseErrors {
            let function = Functions.functions(region: "asia-northeast3").httpsCallable("socialLogin")
            return try format.customToken(in: try await function.call(fields).data)
        }
    }
}
// KeepingTheSDK end

// KeepingTheSDK: sign-in by SDK
struct SignInBySDK: CustomTokenSignIn {
    func signIn(withCustomToken token: Secret, from provider: ProviderID) async throws(AuthError) -> AuthSession {
        try await firebaseErrors {
            let result = try await Auth.auth().signIn(withCustomToken: token.reveal())
            return try await result.user.session(
                from: provider, isNewUser: result.additionalUserInfo?.isNewUser == true)
        }
    }
}
// KeepingTheSDK end

// KeepingTheSDK: user by SDK
extension User {
    func authUser(claims: [String: Any] = [:]) -> AuthUser {
        var identities = providerData.map {
            AuthUser.LinkedProvider(id: ProviderID(rawValue: $0.providerID), userID: $0.uid, email: $0.email)
        }
        // Firebase does not know the function's identities: the uid, such as kakao:1001, and the linked ones.
        var others = claims["identities"] as? [String: String] ?? [:]
        let parts = uid.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2 { others[parts[0]] = parts[1] }
        for (name, userID) in others.sorted(by: { $0.key < $1.key }) {
            identities.append(.init(id: ProviderID(rawValue: name), userID: userID))
        }
        return AuthUser(
            id: uid, email: email, isEmailVerified: isEmailVerified, displayName: displayName, photoURL: photoURL,
            providers: identities, isAnonymous: isAnonymous)
    }
}
// KeepingTheSDK end

// KeepingTheSDK: session by SDK
extension User {
    func session(
        from provider: ProviderID, isNewUser: Bool = false, forcingRefresh: Bool = false
    ) async throws -> AuthSession {
        let token = try await getIDTokenResult(forcingRefresh: forcingRefresh)
        return AuthSession(
            accessToken: Secret(token.token), refreshToken: refreshToken.map { Secret($0) },
            expiresAt: token.expirationDate, user: authUser(claims: token.claims), provider: provider,
            isNewUser: isNewUser)
    }
}
// KeepingTheSDK end

// KeepingTheSDK: credential by SDK
extension Credential {
    func forFirebase() throws(AuthError) -> AuthCredential {
        guard let idToken = idToken?.reveal(), let nonce = rawNonce?.reveal() else {
            throw AuthError(.invalidCredential, "The credential has no ID token with a nonce.", provider: provider)
        }
        guard provider == .apple else {
            return GoogleAuthProvider.credential(withIDToken: idToken, accessToken: accessToken?.reveal() ?? "")
        }
        var name = PersonNameComponents()  // Apple tells it at the first authorization only.
        (name.givenName, name.familyName) = (profile?.name?.givenName, profile?.name?.familyName)
        return OAuthProvider.appleCredential(
            withIDToken: idToken, rawNonce: nonce, fullName: profile?.name == nil ? nil : name)
    }
}
// KeepingTheSDK end

// KeepingTheSDK: repository by SDK
struct FirebaseSDKRepository: AuthRepository {
    let coordinator = SocialAuthCoordinator(source: SocialLoginBySDK(), firebase: SignInBySDK())

    func accepts(_ provider: ProviderID) -> Bool { [.apple, .google, .kakao, .naver].contains(provider) }

    func isOfFirebase(_ provider: ProviderID) -> Bool { provider == .apple || provider == .google }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        let provider = credential.provider
        guard isOfFirebase(provider) else { return try await coordinator.signIn(with: credential) }
        return try await firebaseErrors {
            let result = try await Auth.auth().signIn(with: credential.forFirebase())
            return try await result.user.session(
                from: provider, isNewUser: result.additionalUserInfo?.isNewUser == true)
        }
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let user = try await user(session.user.id)
        return try await firebaseErrors { try await user.session(from: session.provider, forcingRefresh: true) }
    }

    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let user = try await user(adoptable.user?.id)
        return try await firebaseErrors { try await user.session(from: adoptable.provider ?? "custom") }
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {
        // The SDK may show another user by now, who stays signed in.
        guard Auth.auth().currentUser?.uid == session.user.id else { return }
        try await firebaseErrors { try Auth.auth().signOut() }
    }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        let user = try await user(session.user.id)
        try await firebaseErrors { try await user.delete() }
    }

    func user(_ id: String?) async throws(AuthError) -> User {
        if let user = Auth.auth().currentUser, user.uid == id { return user }
        // Before the first unlock the SDK shows no user, which does not mean that the session is over.
        let isOver = await isProtectedDataAvailable()
        throw AuthError(isOver ? .sessionExpired : .storageLocked, "Firebase's SDK does not show this session's user.")
    }
}
// KeepingTheSDK end

// KeepingTheSDK: account by SDK
extension FirebaseSDKRepository {
    func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        let user = try await user(session.user.id)
        guard isOfFirebase(credential.provider) else { return try await coordinator.link(credential, to: session) }
        return try await firebaseErrors {
            try await user.link(with: credential.forFirebase()).user.session(from: session.provider)
        }
    }

    func reauthenticate(
        _ session: AuthSession, with credential: Credential
    ) async throws(AuthError) -> AuthSession {
        guard isOfFirebase(credential.provider) else {
            return try await coordinator.reauthenticate(session, with: credential)
        }
        let user = try await user(session.user.id)
        return try await firebaseErrors {
            try await user.reauthenticate(with: credential.forFirebase()).user.session(from: session.provider)
        }
    }

    func revokesAccess(at provider: ProviderID) -> Bool { provider == .apple }

    func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        guard let code = credential.authorizationCode?.code.reveal() else {
            throw AuthError(.invalidCredential, "Apple's credential has no code.", provider: credential.provider)
        }
        _ = try await user(session.user.id)
        try await firebaseErrors { try await Auth.auth().revokeToken(withAuthorizationCode: code) }
    }
}
// KeepingTheSDK end

func serviceWithSDK(_ providers: [AuthProviderFactory], _ platform: AuthPlatform) -> AuthService {
    // KeepingTheSDK: service by SDK
    let auth = AuthService(
        .repository(FirebaseSDKRepository()), providers: providers, platform: platform,
        adoption: SessionAdoption(find: adoptableSession))  // a user whom the SDK has signed in already
    // KeepingTheSDK end
    return auth
}
