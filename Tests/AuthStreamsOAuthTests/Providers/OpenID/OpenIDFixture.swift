import AuthStreams
import AuthStreamsTesting
import Foundation

@testable import AuthStreamsOAuth

/// An issuer, played: metadata, a page, a token endpoint and keys that a test can change.
struct OpenIDFixture: Sendable {
    static let issuer = "https://id.example/realms/app"

    let secrets = AuthorizationSecrets()
    let recorder = StepRecorder()
    var clientID = "app"
    var redirect = AuthorizationPage.Redirect.redirect(URL(literal: "com.example.app:/callback"))
    var issuer = Self.issuer
    var authentication = ClientAuthentication.publicClient
    var options = OpenIDProvider.Options()
    var redeemer = OpenIDProvider.Redeemer.app
    var trustedAudiences: Set<String> = []
    var pushesAuthorizationRequests = false
    var metadataURL: URL?
    var metadataOverrides: [String: AuthJSON] = [:]
    /// Changes to the metadata; `null` takes a member away.
    var metadata: [String: AuthJSON] = [:]
    /// Changes to the ID token's claims.
    var claims: [String: AuthJSON] = [:]
    /// Changes to the token endpoint's answer; `null` takes a member away.
    var members: [String: AuthJSON] = [:]
    /// The place of the metadata.
    var metadataPath = "/realms/app/.well-known/openid-configuration"
    /// Makes the ID token of its claims.
    var sign: @Sendable ([String: AuthJSON]) throws -> String = { try SignedTokens.token($0) }
    /// The keys.
    var keys: @Sendable () throws -> AuthHTTPResponse = { try SignedTokens.keys() }
    /// The token endpoint's answer in place of tokens.
    var refusal: AuthHTTPResponse?
    /// The answer to a request that is pushed to `/par`.
    var pushed: AuthHTTPResponse?
    var callbackFields: @Sendable (_ state: String) -> KeyValuePairs<String, String> = {
        ["code": "secret-code", "state": $0, "iss": Self.issuer]
    }

    var agent: ScriptedAgent {
        ScriptedAgent { [callbackFields] page, redirectURI in
            callback(redirectURI, callbackFields(page["state"] ?? ""))
        }
    }

    var transport: ScriptedTransport {
        let claims = SignedTokens.claims(
            ["iss": .string(Self.issuer), "aud": .string("app"), "nonce": .string(secrets.nonce.reveal())]
                .merging(self.claims) { $1 })
        let document: [String: AuthJSON] = [
            "issuer": .string(Self.issuer), "authorization_endpoint": "https://id.example/auth?tenant=7",
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
            "authorization_response_iss_parameter_supported": true,
        ]
        return ScriptedTransport { [self] request in
            switch request.url.path() {
            case metadataPath:
                return try .json(.object(document.merging(metadata) { $1 }.filter { $0.value != .null }))
            case "/keys": return try keys()
            case "/revoke": return .text("")
            case "/par": return pushed ?? .text("", status: 404)
            case "/token":
                if let refusal { return refusal }
                let answer: [String: AuthJSON] = [
                    "access_token": "secret-access", "expires_in": 300, "token_type": "bearer",
                    "refresh_token": "secret-refresh", "id_token": .string(try sign(claims)),
                ]
                return try .json(.object(answer.merging(members) { $1 }.filter { $0.value != .null }))
            default: return .text("", status: 404)
            }
        }
    }

    func provider(
        agent: (any UserAgent)? = nil, transport: ScriptedTransport? = nil, clock: AuthClock = SignedTokens.clock
    ) -> OpenIDProvider {
        var configuration = OpenIDProvider.Configuration(
            "keycloak", issuer: issuer, clientID: clientID, authentication: authentication, redirect: redirect,
            options: options)
        configuration.trustedAudiences = trustedAudiences
        configuration.pushesAuthorizationRequests = pushesAuthorizationRequests
        configuration.metadataURL = metadataURL
        configuration.metadataOverrides = metadataOverrides
        var provider = OpenIDProvider(
            configuration, redeemer: redeemer, userAgent: agent ?? self.agent, transport: transport ?? self.transport,
            clock: clock)
        provider.makeSecrets = { [secrets] in secrets }
        return provider
    }

    func signIn(
        _ request: AuthRequest = AuthRequest(), agent: ScriptedAgent? = nil, transport: ScriptedTransport? = nil
    ) async throws(AuthError) -> Credential {
        var request = request
        request.onStep = recorder.record
        return try await provider(agent: agent, transport: transport).authenticate(request).value
    }

    /// The user of a whole sign-in, by the app's request for tokens or the repository's.
    func userID(
        _ request: AuthRequest = AuthRequest(), transport: ScriptedTransport? = nil
    ) async throws(AuthError) -> String? {
        let provider = provider(transport: transport)
        let credential = try await provider.authenticate(request).value
        guard redeemer == .repository else { return credential.userID }
        return try await OpenIDRepository(for: provider).signIn(with: credential).user.id
    }
}
