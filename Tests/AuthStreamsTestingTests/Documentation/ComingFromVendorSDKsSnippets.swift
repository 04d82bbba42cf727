import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

// What the rows of the article 'Coming from vendor SDKs' show is between the marks.

/// What the rows leave out.
private struct App {
    let key, client, iOSClient, webClient, issuer, calendar: String
    let callback: URL
    let url: URL
    func show<Value>(_ value: Value) {}
    func open(_ url: URL) {}
    func explain() {}
}

// MARK: GoogleSignIn-iOS

extension App {
    private func row1() {
        // ComingFromVendorSDKs: GIDConfiguration(clientID:serverClientID:)
        let google = AuthProviderFactory.google(clientID: iOSClient, serverClientID: webClient)
        // ComingFromVendorSDKs end
        _ = google
    }

    private func row2(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: GIDSignIn.signIn(withPresenting:)
        let user = try await auth.signIn(with: .google).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row3(_ auth: AuthService) {
        // ComingFromVendorSDKs: GIDSignIn.signIn(withPresenting:hint:additionalScopes:)
        let asked = auth.signIn(with: .google, AuthRequest(loginHint: "ada@example.com", extraScopes: [calendar]))
        // ComingFromVendorSDKs end
        _ = asked
    }

    private func row4(_ auth: AuthService) async {
        // ComingFromVendorSDKs: GIDSignIn.hasPreviousSignIn(), restorePreviousSignIn(completion:)
        for await user in auth.states.users { show(user) }
        // ComingFromVendorSDKs end
    }

    private func row5(_ auth: AuthService) {
        // ComingFromVendorSDKs: GIDSignIn.handle(_:)
        if !auth.handle(url) { open(url) }
        // ComingFromVendorSDKs end
    }

    private func row6(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: GIDSignIn.signOut()
        try await auth.signOut()
        // ComingFromVendorSDKs end
    }

    private func row7(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: GIDSignIn.disconnect(completion:)
        try await auth.deleteAccount(with: .google).value
        // ComingFromVendorSDKs end
    }

    private func row8(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: GIDGoogleUser.refreshTokensIfNeeded(completion:)
        let token = try await auth.accessToken()
        // ComingFromVendorSDKs end
        _ = token
    }
}

// MARK: Kakao SDK for iOS

extension App {
    private func row9() {
        // ComingFromVendorSDKs: KakaoSDK.initSDK(appKey:)
        let kakao = AuthProviderFactory.kakao(nativeAppKey: key)
        // ComingFromVendorSDKs end
        _ = kakao
    }

    private func row10(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: UserApi.isKakaoTalkLoginAvailable(), then one of the two log-ins
        let user = try await auth.signIn(with: .kakao).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row11(_ auth: AuthService) {
        // ComingFromVendorSDKs: UserApi.loginWithKakaoTalk(completion:)
        let byApp = auth.signIn(with: .kakao, using: .app)
        // ComingFromVendorSDKs end
        _ = byApp
    }

    private func row12(_ auth: AuthService) {
        // ComingFromVendorSDKs: UserApi.loginWithKakaoAccount(completion:)
        let byPage = auth.signIn(with: .kakao, using: .web)
        // ComingFromVendorSDKs end
        _ = byPage
    }

    private func row13(_ auth: AuthService) {
        // ComingFromVendorSDKs: UserApi.loginWithKakaoAccount(prompts:completion:)
        let again = auth.signIn(with: .kakao, AuthRequest(prompts: [.login]))
        // ComingFromVendorSDKs end
        _ = again
    }

    private func row14(_ auth: AuthService) {
        // ComingFromVendorSDKs: UserApi.loginWithKakaoAccount(scopes:completion:)
        let more = auth.signIn(with: .kakao, AuthRequest(extraScopes: ["friends"]))
        // ComingFromVendorSDKs end
        _ = more
    }

    private func row15(_ auth: AuthService) {
        // ComingFromVendorSDKs: AuthController.handleOpenUrl(url:)
        if !auth.handle(url) { open(url) }
        // ComingFromVendorSDKs end
    }

    private func row16(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: UserApi.me(completion:)
        let user = try await auth.reload().value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row17(_ auth: AuthService) {
        // ComingFromVendorSDKs: AuthApi.hasToken()
        let isSignedIn = auth.user != nil
        // ComingFromVendorSDKs end
        _ = isSignedIn
    }

    private func row18(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: UserApi.logout(completion:)
        try await auth.signOut()
        // ComingFromVendorSDKs end
    }

    private func row19(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: UserApi.unlink(completion:)
        try await auth.deleteAccount(with: .kakao).value
        // ComingFromVendorSDKs end
    }
}

// MARK: Naver

extension App {
    private func row20() {
        // ComingFromVendorSDKs: NidOAuth.initialize()
        let naver = AuthProviderFactory.naver(clientID: client, urlScheme: "myapp", appName: "My App")
        // ComingFromVendorSDKs end
        _ = naver
    }

    private func row21(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: NidOAuth.requestLogin(callback:), requestThirdPartyLogin()
        let user = try await auth.signIn(with: .naver).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row22(_ auth: AuthService) {
        // ComingFromVendorSDKs: NidOAuth.setLoginBehavior(_:)
        let byPage = auth.signIn(with: .naver, using: .web)
        // ComingFromVendorSDKs end
        _ = byPage
    }

    private func row23(_ auth: AuthService) {
        // ComingFromVendorSDKs: NidOAuth.reauthenticate(callback:)
        let again = auth.signIn(with: .naver, AuthRequest(prompts: [.login]))
        // ComingFromVendorSDKs end
        _ = again
    }

    private func row24(_ auth: AuthService) {
        // ComingFromVendorSDKs: NidOAuth.repromptPermissions(callback:), requestThirdPartyLoginWithReprompt()
        let consents = auth.signIn(with: .naver, AuthRequest(prompts: [.consent]))
        // ComingFromVendorSDKs end
        _ = consents
    }

    private func row25(_ auth: AuthService) {
        // ComingFromVendorSDKs: NidOAuth.handleURL(_:), receiveAccessToken(_:)
        if !auth.handle(url) { open(url) }
        // ComingFromVendorSDKs end
    }

    private func row26(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: NidOAuth.getUserProfile(accessToken:callback:)
        let user = try await auth.reload().value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row27(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: NidOAuth.accessToken, refreshToken
        let token = try await auth.accessToken()
        // ComingFromVendorSDKs end
        _ = token
    }

    private func row28(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: NidOAuth.logout(), resetToken()
        try await auth.signOut()
        // ComingFromVendorSDKs end
    }

    private func row29(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: NidOAuth.disconnect(callback:), requestDeleteToken()
        try await auth.deleteAccount(with: .naver).value
        // ComingFromVendorSDKs end
    }
}

// MARK: AuthenticationServices

extension App {
    private func row30(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: ASAuthorizationAppleIDProvider.createRequest(), nonce, SHA-256, state
        let user = try await auth.signIn(with: .apple).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row31(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: ASAuthorizationController, its delegate and presentationAnchor(for:)
        let user = try await auth.signIn(with: .apple).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func firstName(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: fullName, email of the first authorization
        let name = try await auth.signIn(with: .apple).value.name
        // ComingFromVendorSDKs end
        _ = name
    }

    private func row32(_ auth: AuthService) {
        // ComingFromVendorSDKs: getCredentialState(forUserID:), credentialRevokedNotification
        if case .signedOut(.revokedAtProvider) = auth.state { explain() }
        // ComingFromVendorSDKs end
    }

    private func row33() {
        // ComingFromVendorSDKs: ASWebAuthenticationSession
        let work = AuthProviderFactory.openID("work", issuer: issuer, clientID: client, redirect: .redirect(callback))
        // ComingFromVendorSDKs end
        _ = work
    }
}

// MARK: FirebaseAuth

extension App {
    private func row34() {
        // ComingFromVendorSDKs: FirebaseApp.configure()
        let server = AuthRepositoryFactory.firebase(functionsIn: .seoul)
        // ComingFromVendorSDKs end
        _ = server
    }

    private func row35(_ auth: AuthService) async {
        // ComingFromVendorSDKs: Auth.addStateDidChangeListener(_:), authStateChanges
        for await state in auth.states { show(state) }
        // ComingFromVendorSDKs end
    }

    private func row36(_ auth: AuthService) {
        // ComingFromVendorSDKs: Auth.currentUser
        let user = auth.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row37(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: OAuthProvider.credential(…), then Auth.signIn(with:)
        let user = try await auth.signIn(with: .apple).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row38(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: Functions.httpsCallable(_:), then Auth.signIn(withCustomToken:)
        let user = try await auth.signIn(with: .kakao).value.user
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row39(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: Auth.signInAnonymously()
        let guest = try await auth.signInAnonymously().value.user
        // ComingFromVendorSDKs end
        _ = guest
    }

    private func row40(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.getIDToken()
        let token = try await auth.accessToken()
        // ComingFromVendorSDKs end
        _ = token
    }

    private func row41(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.getIDToken(forcingRefresh: true)
        let token = try await auth.accessToken(forceRefresh: true)
        // ComingFromVendorSDKs end
        _ = token
    }

    private func row42(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.link(with:)
        let user = try await auth.link(with: .google).value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row43(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.unlink(fromProvider:)
        let user = try await auth.unlink(.google).value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row44(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.reauthenticate(with:)
        let user = try await auth.reauthenticate().value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row45(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.createProfileChangeRequest()
        let user = try await auth.updateProfile(displayName: .set("Mia")).value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row46(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: User.reload()
        let user = try await auth.reload().value
        // ComingFromVendorSDKs end
        _ = user
    }

    private func row47(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: Auth.revokeToken(withAuthorizationCode:), then User.delete()
        try await auth.deleteAccount().value
        // ComingFromVendorSDKs end
    }

    private func password(_ auth: AuthService, _ email: String, _ password: String) async throws {
        // ComingFromVendorSDKs: Auth.signIn(withEmail:password:)
        let user = try await auth.signIn(credential: .password(email: email, password)).value.user
        // ComingFromVendorSDKs end
        show(user)
    }

    private func link(_ auth: AuthService, _ email: String) async throws {
        // ComingFromVendorSDKs: Auth.signIn(withEmail:link:)
        let user = try await auth.signIn(with: .emailLink, AuthRequest(loginHint: email)).value.user
        // ComingFromVendorSDKs end
        show(user)
    }

    private func factor(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: MultiFactorResolver, MultiFactor.enroll
        let user = try await auth.enrollSecondFactor().value
        // ComingFromVendorSDKs end
        show(user)
    }

    private func row48(_ auth: AuthService) async throws {
        // ComingFromVendorSDKs: Auth.signOut()
        try await auth.signOut()
        // ComingFromVendorSDKs end
    }
}

// MARK: A session of the app's own server

/// Where the app kept what its server had answered.
private struct OldKeychain: Sendable {
    var refreshToken: String?
    var userID: String?
    func removeAll() throws {}
}

private func adoption(
    _ oldKeychain: OldKeychain, _ api: URL, _ providers: [AuthProviderFactory], _ platform: AuthPlatform
) -> AuthService {
    // ComingFromVendorSDKs: the server's session
    let auth = AuthService(
        .server(api), providers: providers, platform: platform,
        adoption: SessionAdoption(
            find: {
                guard let token = oldKeychain.refreshToken, let id = oldKeychain.userID else { return nil }
                return AdoptableSession(refreshToken: Secret(token), user: AuthUser(id: id), provider: .google)
            },
            discard: { try oldKeychain.removeAll() }))  // and GIDSignIn.sharedInstance.signOut()
    // ComingFromVendorSDKs end
    return auth
}
