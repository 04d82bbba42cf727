import AuthStreams
import AuthStreamsOAuth
import LoopbackHTTP

/// What a person let an app do at a provider, as far as a server needs it to put an end to it.
struct RevocableGrant {
    let provider: ProviderID
    /// The provider's identifier of the person.
    let userID: String
    /// The token to revoke. Kakao needs none: its admin key unlinks any user of the app.
    var token: String?
}

extension CredentialVerifier {
    /// Whose credential it is, and what can be revoked of it.
    ///
    /// - Throws: `malformed` too for a provider that it does not know.
    func grant(
        of credential: PresentedCredential, from provider: ProviderID
    ) async throws(CredentialRefusal) -> RevocableGrant {
        switch provider {
        case .kakao:
            return RevocableGrant(provider: provider, userID: try await kakaoUserID(of: credential))
        case .naver:
            let token = try await naverAccessToken(of: credential)
            let identity = try await naverIdentity(accessToken: token)
            return RevocableGrant(provider: provider, userID: identity.userID, token: token)
        case .apple: return try await appleGrant(of: credential)
        case .google: return try await googleGrant(of: credential)
        default: throw .malformed("This provider's sign-ins cannot be revoked here.")
        }
    }

    /// Ends it at the provider.
    ///
    /// - Throws: `unavailable` when the provider does not say that it did.
    func revoke(_ grant: RevocableGrant) async throws(CredentialRefusal) {
        let request: EmulatorRequest
        switch grant.provider {
        case .kakao: return try await unlinkAtKakao(grant.userID)
        case .naver: return try await deleteAtNaver(grant.token ?? "")
        case .apple: request = appleRevocation(of: grant.token ?? "")
        default:
            request = EmulatorRequest(
                "POST", host: "oauth2.googleapis.com", path: "/revoke", form: [("token", grant.token ?? "")])
        }
        guard await context.call(request).status == 200 else { throw .unavailable("The token was not revoked.") }
    }
}
