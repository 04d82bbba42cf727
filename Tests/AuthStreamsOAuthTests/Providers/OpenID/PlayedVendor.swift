import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The issuer of a preset, played: metadata as the vendor publishes them, and ID tokens with its audiences and signature.
struct PlayedVendor: Sendable, CustomTestStringConvertible {
    static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"

    let name: String
    var configuration: OpenIDProvider.Configuration
    /// The issuer that the ID tokens name.
    let issuer: String
    let metadataURL: String
    var metadata: [String: AuthJSON]
    /// Changes to the ID token's claims.
    var claims: [String: AuthJSON] = [:]
    var scope = "openid email profile"
    var algorithm = JWSAlgorithm.rs256
    /// The secret that the client sends, and that signs the ID tokens.
    var clientSecret: String?

    private let secrets = AuthorizationSecrets()

    /// - Parameters:
    ///   - issuer: The issuer of the configuration and the ID tokens.
    ///   - metadataURL: Where the metadata are; below the issuer unless given.
    ///   - page: What the URL of each endpoint begins with: the page's, the token endpoint's and the keys'.
    private init(
        _ name: String, _ configuration: OpenIDProvider.Configuration, issuer: String, metadataURL: String? = nil,
        page: String, token: String, keys: String
    ) {
        self.name = name
        self.configuration = configuration
        self.issuer = issuer
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        self.metadataURL = metadataURL ?? "\(base)/.well-known/openid-configuration"
        metadata = [
            "issuer": .string(issuer), "authorization_endpoint": .string(page), "token_endpoint": .string(token),
            "jwks_uri": .string(keys),
        ]
    }

    var testDescription: String { name }

    var agent: ScriptedAgent {
        ScriptedAgent { page, redirectURI in
            callback(redirectURI, ["code": "secret-code", "state": page["state"] ?? ""])
        }
    }

    var transport: ScriptedTransport {
        let claims = SignedTokens.claims(
            ["iss": .string(issuer), "aud": "app", "nonce": .string(secrets.nonce.reveal())]
                .merging(self.claims) { $1 })
        return ScriptedTransport { [self] request in
            switch request.url.absoluteString {
            case metadataURL: return try .json(.object(metadata))
            case metadata["jwks_uri"]?.string:
                // LINE publishes the keys of its app.
                return try SignedTokens.keys([
                    clientSecret == nil ? SignedTokens.key(for: algorithm) : SignedTokens.ellipticKey
                ])
            case metadata["token_endpoint"]?.string:
                let token =
                    if let clientSecret {
                        try SignedTokens.token(claims, sharedSecret: clientSecret)
                    } else {
                        try SignedTokens.token(
                            claims, algorithm: algorithm,
                            header: ["kid": SignedTokens.key(for: algorithm)["kid"] ?? .null])
                    }
                return try .json([
                    "access_token": "secret-access", "expires_in": 3600, "token_type": "Bearer",
                    "id_token": .string(token),
                ])
            default: return .text("", status: 404)
            }
        }
    }

    func provider(agent: ScriptedAgent? = nil, transport: ScriptedTransport? = nil) -> OpenIDProvider {
        var provider = OpenIDProvider(
            configuration, userAgent: agent ?? self.agent, transport: transport ?? self.transport,
            clock: SignedTokens.clock)
        provider.makeSecrets = { [secrets] in secrets }
        return provider
    }
}

extension PlayedVendor {
    static let all = [
        entra("common"), entra(tenant), externalID, azureB2C, auth0, okta(nil), okta("default"), cognito, keycloak,
        zitadel, logto, line,
    ]

    private static let redirect = OpenIDPresetsTests.redirect

    /// Entra names any tenant in its metadata for all of them, and in an ID token the person's.
    private static func entra(_ segment: String) -> Self {
        let base = "https://login.microsoftonline.com/\(segment)"
        var vendor = Self(
            "Entra, \(segment)", .entra(tenant: segment, clientID: "app", redirect: redirect),
            issuer: "\(base)/v2.0", page: "\(base)/oauth2/v2.0/authorize", token: "\(base)/oauth2/v2.0/token",
            keys: "\(base)/discovery/v2.0/keys")
        vendor.claims = [
            "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"), "tid": .string(tenant),
            "email": "ada@example.com",
        ]
        if segment == "common" { vendor.metadata["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
        return vendor
    }

    /// The issuer's subdomain is the tenant's ID, that of the endpoints its name.
    private static var externalID: Self {
        let base = "https://contoso.ciamlogin.com/\(tenant)"
        var vendor = Self(
            "Entra External ID",
            .entraExternalID(tenant: "contoso", tenantID: tenant, clientID: "app", redirect: redirect),
            issuer: "https://\(tenant).ciamlogin.com/\(tenant)/v2.0",
            metadataURL: "\(base)/v2.0/.well-known/openid-configuration", page: "\(base)/oauth2/v2.0/authorize",
            token: "\(base)/oauth2/v2.0/token", keys: "\(base)/discovery/v2.0/keys")
        vendor.claims = ["tid": .string(tenant)]
        return vendor
    }

    private static var azureB2C: Self {
        let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin"
        var vendor = Self(
            "Azure AD B2C",
            .azureB2C(
                tenant: "contoso", tenantID: tenant, policy: "B2C_1_signin", clientID: "app", redirect: redirect),
            issuer: "https://contoso.b2clogin.com/\(tenant)/v2.0/",
            metadataURL: "\(base)/v2.0/.well-known/openid-configuration", page: "\(base)/oauth2/v2.0/authorize",
            token: "\(base)/oauth2/v2.0/token", keys: "\(base)/discovery/v2.0/keys")
        vendor.scope = "openid app"
        vendor.claims = ["tfp": "B2C_1_signin", "emails": ["ada@example.com"]]
        return vendor
    }

    private static var auth0: Self {
        let base = "https://example.us.auth0.com"
        return Self(
            "Auth0", .auth0(domain: "example.us.auth0.com", clientID: "app", redirect: redirect), issuer: "\(base)/",
            page: "\(base)/authorize", token: "\(base)/oauth/token", keys: "\(base)/.well-known/jwks.json")
    }

    private static func okta(_ server: String?) -> Self {
        let issuer = "https://example.okta.com\(server.map { "/oauth2/\($0)" } ?? "")"
        let base = server == nil ? "\(issuer)/oauth2" : issuer
        return Self(
            "Okta, \(server ?? "the organization")",
            .okta(domain: "example.okta.com", authorizationServer: server, clientID: "app", redirect: redirect),
            issuer: issuer, page: "\(base)/v1/authorize", token: "\(base)/v1/token", keys: "\(base)/v1/keys")
    }

    /// The endpoints are at the domain of the user pool.
    private static var cognito: Self {
        let (issuer, base) = (
            "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_EXAMPLE",
            "https://example.auth.us-east-1.amazoncognito.com"
        )
        var vendor = Self(
            "Cognito",
            .cognito(region: "us-east-1", userPool: "us-east-1_EXAMPLE", clientID: "app", redirect: redirect),
            issuer: issuer, page: "\(base)/oauth2/authorize", token: "\(base)/oauth2/token",
            keys: "\(issuer)/.well-known/jwks.json")
        vendor.metadata["end_session_endpoint"] = .string("\(base)/logout")
        return vendor
    }

    private static var keycloak: Self {
        let issuer = "https://id.example/realms/app"
        return Self(
            "Keycloak",
            .keycloak(realm: "app", at: URL(literal: "https://id.example/"), clientID: "app", redirect: redirect),
            issuer: issuer, page: "\(issuer)/protocol/openid-connect/auth",
            token: "\(issuer)/protocol/openid-connect/token", keys: "\(issuer)/protocol/openid-connect/certs")
    }

    /// ID tokens name the project and each of its applications.
    private static var zitadel: Self {
        let base = "https://example.zitadel.cloud"
        var vendor = Self(
            "Zitadel",
            .zitadel(
                domain: "example.zitadel.cloud", projectID: "project", otherClientIDs: ["web"], clientID: "app",
                redirect: redirect),
            issuer: base, page: "\(base)/oauth/v2/authorize", token: "\(base)/oauth/v2/token",
            keys: "\(base)/oauth/v2/keys")
        vendor.claims = ["aud": ["web", "app", "project"], "azp": "app"]
        return vendor
    }

    private static var logto: Self {
        let issuer = "https://example.logto.app/oidc"
        var vendor = Self(
            "Logto", .logto(endpoint: "https://example.logto.app/", clientID: "app", redirect: redirect),
            issuer: issuer, page: "\(issuer)/auth", token: "\(issuer)/token", keys: "\(issuer)/jwks")
        vendor.algorithm = .es384
        return vendor
    }

    private static var line: Self {
        var vendor = Self(
            "LINE", .line(channelID: "app", channelSecret: Secret("channel-secret"), redirect: redirect),
            issuer: "https://access.line.me", page: "https://access.line.me/oauth2/v2.1/authorize",
            token: "https://api.line.me/oauth2/v2.1/token", keys: "https://api.line.me/oauth2/v2.1/certs")
        vendor.scope = "openid profile"
        vendor.clientSecret = "channel-secret"
        vendor.claims = ["amr": ["linesso"]]
        return vendor
    }
}
