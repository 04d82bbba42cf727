import Foundation

/// The state in which a preview begins; see ``AuthService/preview(_:failing:providers:lastSignIn:answer:)``.
public struct AuthPreview: Hashable, Sendable {
    enum Beginning: Hashable, Sendable {
        case restoring
        case waitingForUnlock
        case waitingForPerson
        case signedOut(SignOutReason?)
        case signingIn(ProviderID, AuthState.SignInStep)
        case signedIn(AuthUser, AuthState.Freshness)
        case asking(ProviderID, Challenge)
    }

    let beginning: Beginning

    /// The user of ``signedIn``.
    public static let user = AuthUser(
        id: "preview", email: "minji@example.com", isEmailVerified: true, displayName: "Minji Kim")

    /// It is not known yet who is signed in, and stays so.
    public static let restoring = Self(beginning: .restoring)
    /// It is not known yet who is signed in, because the device was not unlocked since it was started, and stays so.
    public static let waitingForUnlock = Self(beginning: .waitingForUnlock)
    /// ``user`` will be signed in once the gate is opened, by ``AuthService/openGate()`` or a call that needs the session.
    public static let waitingForPerson = Self(beginning: .waitingForPerson)
    /// No user is signed in.
    public static let signedOut = Self(beginning: .signedOut(nil))
    /// No user is signed in, because the session expired.
    public static let expired = Self.signedOut(because: .expired)
    /// ``user`` is signed in.
    public static let signedIn = Self.signedIn(as: user)
    /// ``user`` is signed in. The session came from storage, and the server has not confirmed it yet.
    public static let cached = Self.signedIn(as: user, .cached)
    /// ``user`` is signed in, and the server cannot be reached since the preview was made.
    public static var offline: Self { .signedIn(as: user, .offline(since: Date())) }

    /// No user is signed in, because a session ended for a reason.
    public static func signedOut(because reason: SignOutReason) -> Self { Self(beginning: .signedOut(reason)) }

    /// A user is signed in.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - freshness: How recently the server confirmed the session. It stays so until the service is asked for a new token.
    public static func signedIn(as user: AuthUser, _ freshness: AuthState.Freshness = .verified) -> Self {
        Self(beginning: .signedIn(user, freshness))
    }

    /// An attempt with a provider is in progress, and stays so.
    public static func signingIn(
        _ provider: ProviderID, at step: AuthState.SignInStep = .presenting
    ) -> Self {
        Self(beginning: .signingIn(provider, step))
    }

    /// An attempt with a provider asks for one more step, by a prompt with made-up data. Every answer signs in.
    ///
    /// With an error of ``AuthService/preview(_:failing:providers:lastSignIn:answer:)``, the prompt is one that is asked again because
    /// of it, and every answer asks once more.
    ///
    /// - Parameters:
    ///   - kind: The kind of the prompt. One that is not known is a page.
    ///   - provider: The provider that the person signs in with.
    public static func asking(_ kind: Challenge.Kind, with provider: ProviderID = .kakao) -> Self {
        Self(beginning: .asking(provider, .preview(kind)))
    }
}

extension Challenge {
    /// A step with made-up data.
    fileprivate static func preview(_ kind: Kind) -> Self {
        guard let page = URL(string: "https://auth.example.com/activate") else { return Self(.address) }
        let step: Step =
            switch kind {
            case .code: .code(Code(to: "m••••@example.com", length: 6, resendAfter: .seconds(30)))
            case .factors:
                .factors([
                    Factor(id: "1", kind: "totp", name: "iPhone"), Factor(id: "2", kind: "sms", name: "010-••••-1234"),
                ])
            case .form:
                .form([
                    Field(id: "nickname"), Field(id: "terms", kind: .consent, url: page),
                    Field(id: "marketing", kind: .consent, isRequired: false),
                ])
            case .link: .link(Link(to: "minji@example.com", resendAfter: .seconds(30)))
            case .address: .address
            case .enrollment:
                .enrollment(
                    Enrollment(
                        secret: Secret("JBSWY3DPEHPK3PXP"),
                        url: Secret("otpauth://totp/Preview:minji?secret=JBSWY3DPEHPK3PXP&issuer=Preview")))
            case .userCode:
                .userCode(UserCode(code: "WDJB-MJHT", verificationURI: page, expiresIn: .seconds(900)))
            default: .page(Page(page, callbackURL: page, kind: kind))
            }
        return Self(step)
    }
}

/// A provider whose attempts all succeed at once, or all fail.
struct PreviewProvider: AuthProvider {
    let id: ProviderID
    let failure: AuthError?

    /// Those of the library's provider with that identifier, so that a button may name one.
    var methodKinds: [SignInMethod.Kind] {
        switch id {
        case .apple: [.sheet, .web]
        case .google: [.web]
        case .kakao, .naver: [.app, .web]
        default: [.standard]
        }
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { () async throws(AuthError) in
            try requireMethodKind(of: request)
            if let failure { throw failure }
            return Credential(provider: id, idToken: Secret("preview"), userID: AuthPreview.user.id, isBound: true)
        }
    }
}

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
