import AuthStreams
import AuthStreamsTesting
import Foundation

@testable import AuthStreamsOAuth

/// An issuer, played: what its token endpoint, user information and log-out page answer is the test's.
struct IssuerFixture: Sendable {
    static let issuer = "https://id.example"
    static let firstToken: [String: AuthJSON] = [
        "iss": .string(issuer), "aud": "app", "azp": "app", "nonce": "raw-nonce", "auth_time": 1_799_999_990,
        "name": "Minji", "roles": ["editor"],
    ]

    var authentication = ClientAuthentication.publicClient
    /// Audiences that are accepted beside the client.
    var trustedAudiences: Set<String> = []
    /// Issuers whose ID tokens are accepted beside those of ``issuer``.
    var otherIssuers: Set<String> = []
    /// Changes to the claims of the ID token of the sign-in.
    var first: [String: AuthJSON] = [:]
    /// Claims of the ID token in answer to a refresh; `nil` for none.
    var refreshed: [String: AuthJSON]?
    var tokenMembers: [String: AuthJSON] = [:]
    /// The token endpoint's answer in place of tokens.
    var refusal: AuthHTTPResponse?
    /// Makes an ID token of its claims.
    var sign: @Sendable ([String: AuthJSON]) throws -> String = { try SignedTokens.token($0) }
    var userInfo: (@Sendable () throws -> AuthHTTPResponse)?
    var revocation: @Sendable () throws -> AuthHTTPResponse = { .text("") }
    var keys: @Sendable () throws -> AuthHTTPResponse = { try SignedTokens.keys() }
    var metadata: [String: AuthJSON] = [:]
    var clock = SignedTokens.clock
    /// Where the key is that tokens are bound to; `nil` for bearer tokens.
    var store: (any SessionStore)?

    var transport: ScriptedTransport {
        ScriptedTransport { [self] request in
            switch request.url.path() {
            case "/.well-known/openid-configuration":
                let members: [String: AuthJSON] = [
                    "issuer": .string(Self.issuer), "authorization_endpoint": "https://id.example/auth",
                    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
                    "revocation_endpoint": "https://id.example/revoke",
                    "end_session_endpoint": "https://id.example/logout?theme=dark",
                    "userinfo_endpoint": userInfo == nil ? .null : "https://id.example/me",
                ]
                return try .json(.object(members.merging(metadata) { $1 }))
            case "/keys": return try keys()
            case "/token":
                if let refusal { return refusal }
                let form = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
                let isFirst = form.contains { $0.value == "authorization_code" }
                var answer: [String: AuthJSON] = [
                    "access_token": isFirst ? "access-1" : "access-2", "expires_in": 300, "token_type": "Bearer",
                    "refresh_token": isFirst ? "refresh-1" : "refresh-2", "scope": "openid profile",
                ]
                if let claims = isFirst ? Self.firstToken.merging(first, uniquingKeysWith: { $1 }) : refreshed {
                    answer["id_token"] = .string(try sign(SignedTokens.claims(claims)))
                }
                return try .json(.object(answer.merging(tokenMembers) { $1 }.filter { $0.value != .null }))
            case "/me": return try userInfo?() ?? .text("", status: 404)
            case "/revoke": return try revocation()
            default: return .text("", status: 404)
            }
        }
    }

    func repository(
        _ transport: ScriptedTransport? = nil, options: OpenIDProvider.Options = .init(),
        deletion: OpenIDRepository.AccountDeletion? = nil
    ) -> OpenIDRepository {
        OpenIDRepository(
            for: provider(transport ?? self.transport, options: options), deletingAccountsBy: deletion)
    }

    func provider(
        _ transport: any AuthHTTPTransport, options: OpenIDProvider.Options = .init(),
        redeemer: OpenIDProvider.Redeemer = .repository,
        agent: ScriptedAgent = ScriptedAgent { callback($1, ["code": "code", "state": $0["state"] ?? ""]) }
    ) -> OpenIDProvider {
        var client = OAuthClient(
            "keycloak", issuer: Self.issuer, clientID: "app", authentication: authentication, transport: transport,
            clock: clock)
        client.idTokenRules = { [trustedAudiences, otherIssuers] in
            $0.trustedAudiences = trustedAudiences
            $0.issuers.formUnion(otherIssuers)
        }
        if let store { client.dpop = DPoP(DPoPKeys(in: store), clock: clock) }
        return OpenIDProvider(
            client, redirect: .redirect(URL(literal: "com.example.app:/callback")), options: options,
            redeemer: redeemer, userAgent: agent)
    }

    static let credential = Credential(
        provider: "keycloak", rawNonce: Secret("raw-nonce"),
        authorizationCode: .init(
            code: Secret("code"), redirectURI: URL(literal: "com.example.app:/callback"), codeVerifier: Secret("v")))
}
