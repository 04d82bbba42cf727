import AuthStreams
import AuthStreamsOAuth
import LoopbackHTTP

extension CredentialVerifier {
    /// Unlinks the person from the app with the server's admin key, because the credential may be an ID token.
    func unlinkAtKakao(_ userID: String) async throws(CredentialRefusal) {
        let request = EmulatorRequest(
            "POST", host: "kapi.kakao.com", path: "/v1/user/unlink",
            form: [("target_id_type", "user_id"), ("target_id", userID)],
            headers: [("Authorization", "KakaoAK \(context.configuration.kakao.adminKey)")])
        let (status, json) = try await answer(to: request)
        // -101: already unlinked, for example in KakaoTalk's settings.
        guard status == 200 || json["code"]?.lenientInteger == -101 else { throw .unavailable("Kakao did not unlink.") }
    }

    /// Deletes the token pair, and with it the person's consent. The token is fresh, so Naver's 'success' is reliable.
    func deleteAtNaver(_ accessToken: String) async throws(CredentialRefusal) {
        let naver = context.configuration.naver
        let request = EmulatorRequest(
            "POST", host: "nid.naver.com", path: "/oauth2.0/token",
            form: [
                ("grant_type", "delete"), ("client_id", naver.clientID), ("client_secret", naver.clientSecret),
                ("access_token", accessToken), ("service_provider", "NAVER"),
            ])
        guard try await answer(to: request).json["result"]?.string == "success" else {
            throw .unavailable("Naver did not delete the token.")
        }
    }

    /// Returns the grant of a code by redeeming it with a client secret: Apple revokes only tokens, not codes.
    func appleGrant(of credential: PresentedCredential) async throws(CredentialRefusal) -> RevocableGrant {
        guard let code = credential.code else { throw .malformed("Apple needs 'code'.") }
        // The native flow has no redirect URI. Its client is the app itself.
        let apple = context.configuration.apple
        let clientID = credential.redirectURI == nil ? apple.bundleID : apple.servicesID
        var form = appleClient(clientID) + [("grant_type", "authorization_code"), ("code", code)]
        if let redirectURI = credential.redirectURI { form.append(("redirect_uri", redirectURI)) }
        let request = EmulatorRequest("POST", host: "appleid.apple.com", path: "/auth/token", form: form)
        let (_, json) = try await answer(to: request)
        guard let token = json["refresh_token"]?.string,
            // It came directly from Apple's token endpoint, so its signature need not be verified.
            let userID = json["id_token"]?.string.flatMap({ JSONWebToken(Secret($0)) })?.claims["sub"]?.string
        else { throw .refused("Apple refused the code.") }
        return RevocableGrant(provider: .apple, userID: userID, token: token, clientID: clientID)
    }

    /// Returns the grant of a token that the emulator issued as Apple.
    func appleGrant(of token: String, _ kind: GrantStore.Kind) throws(CredentialRefusal) -> RevocableGrant {
        guard let grant = context.grants.valid(token, kind, of: .apple)?.grant else {
            throw .refused("The token is not valid.")
        }
        return RevocableGrant(provider: .apple, userID: grant.userID, token: token, clientID: grant.clientID)
    }

    func appleRevocation(of refreshToken: String, by clientID: String) -> EmulatorRequest {
        let form = appleClient(clientID) + [("token", refreshToken), ("token_type_hint", "refresh_token")]
        return EmulatorRequest("POST", host: "appleid.apple.com", path: "/auth/revoke", form: form)
    }

    private func appleClient(_ clientID: String) -> [(name: String, value: String)] {
        let secret = context.configuration.apple.clientSecret(for: clientID, now: context.now)
        return [("client_id", clientID), ("client_secret", secret)]
    }

    /// Returns the grant of an access token, as Google reports it.
    func googleGrant(of credential: PresentedCredential) async throws(CredentialRefusal) -> RevocableGrant {
        guard let token = credential.accessToken else { throw .malformed("Google needs 'accessToken'.") }
        let request = EmulatorRequest(
            "GET", host: "openidconnect.googleapis.com", path: "/v1/userinfo",
            headers: [("Authorization", "Bearer \(token)")])
        guard let userID = try await answer(to: request).json["sub"]?.string else {
            throw .refused("Google refused the access token.")
        }
        return RevocableGrant(provider: .google, userID: userID, token: token)
    }
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
