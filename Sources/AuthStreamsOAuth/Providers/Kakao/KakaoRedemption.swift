import AuthStreams
import Foundation

/// A code of Kakao with the values that redeem it.
struct KakaoGrant: Sendable {
    let code: Secret
    let secrets: AuthorizationSecrets
    let redirectURI: URL
    /// Whether only Kakao can have received the challenge and the nonce.
    let isBound: Bool
    /// Whether the answer repeated the attempt's `state`, as the account page's does.
    let hasState: Bool
}

/// Makes a credential from a code, by the token request and the validation of the ID token.
struct KakaoRedemption: Sendable {
    private let configuration: KakaoProvider.Configuration
    private let endpoint: TokenEndpoint
    private let validator: IDTokenValidator

    init(_ configuration: KakaoProvider.Configuration, transport: any HTTPTransport, clock: AuthClock) {
        self.configuration = configuration
        endpoint = TokenEndpoint(url: configuration.endpoints.token, transport: transport, dialect: KakaoErrors.dialect)
        // The audience is the key that was used: a token for the app's REST key belongs to another client.
        validator = IDTokenValidator(
            rules: IDTokenRules(
                issuers: [configuration.endpoints.issuer.absoluteString], clientID: configuration.nativeAppKey),
            keys: IssuerKeys(url: configuration.endpoints.keys, transport: transport, clock: clock), clock: clock)
    }

    func credential(for grant: KakaoGrant) async throws(AuthError) -> Credential {
        let tokens = try await endpoint.redeem(
            code: grant.code, clientID: configuration.nativeAppKey, redirectURI: grant.redirectURI,
            verifier: grant.secrets.proofKey.verifier, extra: bundleID)
        // Without a nonce to compare, an ID token proves no more than the access token does: that Kakao accepted the verifier.
        guard configuration.usesOpenIDConnect, let idToken = tokens.idToken else {
            return Credential(provider: .kakao, accessToken: tokens.accessToken, isBound: grant.hasState)
        }
        // Kakao repeats the nonce as it was sent, without hashing it.
        let context = IDTokenContext(
            channel: .tokenEndpoint, nonce: grant.secrets.nonce, accessToken: tokens.accessToken, date: tokens.date)
        let judged = try await validator.validate(idToken, in: context)
        return Credential(
            provider: .kakao, idToken: judged.token, rawNonce: grant.secrets.nonce, accessToken: tokens.accessToken,
            userID: judged.subject, isBound: grant.isBound)
    }

    /// Kakao compares it with the console when the native app key is used.
    private var bundleID: [(name: String, value: String)] {
        configuration.bundleID.map { [("ios_bundle_id", $0)] } ?? []
    }
}
