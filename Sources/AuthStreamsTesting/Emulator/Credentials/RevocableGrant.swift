import AuthStreams
import AuthStreamsOAuth
import LoopbackHTTP

/// A person's grant to an app at a provider, as far as a server needs it to revoke it.
struct RevocableGrant {
    let provider: ProviderID
    /// The provider's identifier of the person.
    let userID: String
    /// The token to revoke. Kakao needs none: its admin key unlinks any user of the app.
    var token: String?
    /// The client that the token was issued to, where an app has several: Apple's.
    var clientID: String?
}

extension CredentialVerifier {
    /// Returns the user and the revocable token of a credential.
    ///
    /// - Throws: `malformed` also for an unknown provider.
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

    /// Revokes the grant at the provider.
    ///
    /// - Throws: `unavailable` if the provider does not confirm it.
    func revoke(_ grant: RevocableGrant) async throws(CredentialRefusal) {
        let request: EmulatorRequest
        switch grant.provider {
        case .kakao: return try await unlinkAtKakao(grant.userID)
        case .naver: return try await deleteAtNaver(grant.token ?? "")
        case .apple: request = appleRevocation(of: grant.token ?? "", by: grant.clientID ?? "")
        default:
            request = EmulatorRequest(
                "POST", host: "oauth2.googleapis.com", path: "/revoke", form: [("token", grant.token ?? "")])
        }
        guard await context.call(request).status == 200 else { throw .unavailable("The token was not revoked.") }
    }
}
