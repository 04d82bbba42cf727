import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The issuers that a configuration knows by name.
@Suite struct OpenIDPresetsTests {
    typealias Configuration = OpenIDProvider.Configuration

    static let redirect = AuthorizationPage.Redirect.redirect(URL(literal: "com.example.app:/callback"))

    @Test(arguments: PlayedVendor.all) func personSignsInAtTheVendorsIssuer(vendor: PlayedVendor) async throws {
        #expect(vendor.configuration.issuer == vendor.issuer)
        let (agent, transport) = (vendor.agent, vendor.transport)
        let provider = vendor.provider(agent: agent, transport: transport)

        #expect(try await provider.authenticate().value.userID == "1001")

        #expect(transport.requests.first?.url.absoluteString == vendor.metadataURL)
        #expect(await agent.pages.map { $0["scope"] } == [vendor.scope])
        #expect(await agent.pages.first?["client_id"] == "app")
        #expect(transport.forms.last { $0["code"] != nil }?["client_secret"] == vendor.clientSecret)
    }

    /// The metadata at the vendor's place are refused if they name another issuer.
    @Test(arguments: PlayedVendor.all) func anotherIssuersMetadataAreRefused(vendor: PlayedVendor) async {
        var vendor = vendor
        vendor.metadata["issuer"] = .string(vendor.issuer.hasSuffix("/") ? "https://evil.example" : "\(vendor.issuer)/")
        let error = await #expect(throws: AuthError.self) { try await vendor.provider().authenticate().value }
        #expect(error?.code == .issuerMismatch)
    }

    @Test(
        arguments: [
            "example.auth0.com", "example.auth0.com/", "https://example.auth0.com", "https://example.auth0.com/",
            "HTTPS://Example.Auth0.com/",
        ])
    func domainIsWrittenWithOrWithoutSchemeAndSlash(domain: String) {
        #expect(Self.auth0(domain).issuer == "https://example.auth0.com/")
        #expect(Self.okta(domain).issuer == "https://example.auth0.com/oauth2/default")
        #expect(Self.zitadel(domain).issuer == "https://example.auth0.com")
        #expect(Self.logto(domain).issuer == "https://example.auth0.com/oidc")
    }

    @Test func serverOfYourOwnMayHaveAPortAndBeOnThisMachine() {
        #expect(Self.logto("id.example.com:8443").issuer == "https://id.example.com:8443/oidc")
        #expect(Self.logto("http://localhost:3001/").issuer == "http://localhost:3001/oidc")
    }

    @Test func authorizationServerOfAnOktaOrganizationHasNoPath() {
        let configuration = Configuration.okta(
            domain: "example.okta.com", authorizationServer: nil, clientID: "app", redirect: Self.redirect)
        #expect(configuration.issuer == "https://example.okta.com")
    }

    /// The tenant, and the segment of its issuer.
    @Test(
        arguments: [
            ("common", "common"), ("organizations", "organizations"),
            ("consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"),
            ("72F988BF-86F1-41AF-91AB-2D7CD011DB47", "72f988bf-86f1-41af-91ab-2d7cd011db47"),
        ])
    func tenantOfEntraIsAnAliasOrItsID(tenant: String, segment: String) {
        #expect(Self.entra(tenant).issuer == "https://login.microsoftonline.com/\(segment)/v2.0")
    }

    @Test(
        arguments: [
            ("app", "https://id.example", "https://id.example/realms/app"),
            ("my app", "https://id.example/auth/", "https://id.example/auth/realms/my%20app"),
            ("a/b", "http://127.0.0.1:8080", "http://127.0.0.1:8080/realms/a%2Fb"),
        ])
    func realmOfKeycloakIsOneSegmentOfTheIssuer(realm: String, server: String, issuer: String) async throws {
        let configuration = Self.keycloak(realm, at: try #require(URL(string: server)))
        #expect(configuration.issuer == issuer)
        let transport = ScriptedTransport { _ in throw AuthError(.network, "") }
        let provider = OpenIDProvider(configuration, userAgent: OpenIDFixture().agent, transport: transport)
        await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(transport.requests.map(\.url.absoluteString) == ["\(issuer)/.well-known/openid-configuration"])
    }

    /// Without one of an API, B2C gives no access token.
    @Test(
        arguments: [
            (["openid"], ["openid", "app"]), (["openid", "offline_access"], ["openid", "offline_access", "app"]),
            (["https://contoso.onmicrosoft.com/api/read"], ["https://contoso.onmicrosoft.com/api/read"]),
        ])
    func scopesOfB2CNameAnAPI(scopes: [String], requested: [String]) {
        #expect(Self.azureB2C(scopes: scopes).scopes == requested)
    }

    @Test func audiencesOfAZitadelProjectAreTrusted() async throws {
        let project = "urn:zitadel:iam:org:project:id:"
        let configuration = Configuration.zitadel(
            domain: "example.zitadel.cloud", projectID: "7", otherClientIDs: ["8"], clientID: "app",
            redirect: Self.redirect, scopes: ["\(project)9:aud", "urn:zitadel:iam:org:id:10"])
        #expect(configuration.trustedAudiences == ["7", "8", "9"])

        var vendor = try #require(PlayedVendor.all.first { $0.configuration.id == "zitadel" })
        vendor.claims["aud"] = ["app", "project", "another"]
        let error = await #expect(throws: AuthError.self) { try await vendor.provider().authenticate().value }
        #expect(error?.code == .invalidIDToken)
    }

    /// Its parameters are not those of RP-Initiated Logout.
    @Test func logOutPageOfCognitoIsNotShown() async throws {
        let vendor = try #require(PlayedVendor.all.first { $0.configuration.id == "cognito" })
        let agent = vendor.agent
        let repository = OpenIDRepository(for: vendor.provider(agent: agent))
        let error = await #expect(throws: AuthError.self) {
            try await repository.endSession(redirect: Self.redirect).value
        }
        #expect(error?.code == .unsupportedProvider)
        #expect(await agent.pages.isEmpty)
    }

    @Test(arguments: ["other", nil] as [String?]) func lineTokenOfAnotherSecretIsRefused(secret: String?) async throws {
        var vendor = try #require(PlayedVendor.all.first { $0.configuration.id == "line" })
        vendor.configuration = .line(
            channelID: "app", channelSecret: secret.map { Secret($0) }, redirect: Self.redirect)
        let error = await #expect(throws: AuthError.self) { try await vendor.provider().authenticate().value }
        #expect(error?.code == .invalidIDToken)
    }

    @Test(arguments: unusable) func unusableInputIsMisconfiguredBeforeAnyRequest(configuration: Configuration) async {
        let agent = OpenIDFixture().agent
        let transport = ScriptedTransport { _ in throw AuthError(.network, "") }
        let provider = OpenIDProvider(configuration, userAgent: agent, transport: transport)
        let error = await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(error?.code == .misconfigured, "\(configuration.issuer)")
        #expect(transport.requests.isEmpty, "\(configuration.issuer)")
        #expect(await agent.pages.isEmpty)
    }

    private static let domains = [
        "", " ", "/", "https://", "https:///", "example.com/path", "https://example.com/path", "example.com?query=1",
        "example.com#fragment", "ada@example.com", "exa mple.com", "ftp://example.com", "http://example.com",
        "https://https://example.com", "example.com:port", "exämple.com", "-.example.com", "\\example.com",
    ]

    private static let names = ["", "a/b", "a b", "..", "a.b", "ä", "a?b", "a%2Fb"]

    private static let unusable: [Configuration] =
        domains.flatMap { [auth0($0), okta($0), zitadel($0), logto($0)] }
        + names.flatMap {
            [
                .okta(domain: "example.okta.com", authorizationServer: $0, clientID: "app", redirect: redirect),
                .cognito(region: $0, userPool: "us-east-1_EXAMPLE", clientID: "app", redirect: redirect),
                .cognito(region: "us-east-1", userPool: $0, clientID: "app", redirect: redirect), entra($0),
                .entraExternalID(tenant: $0, tenantID: PlayedVendor.tenant, clientID: "app", redirect: redirect),
                .entraExternalID(tenant: "contoso", tenantID: $0, clientID: "app", redirect: redirect),
                azureB2C(tenant: $0), azureB2C(tenantID: $0), azureB2C(policy: $0),
            ]
        }
        + ["Common", "contoso.onmicrosoft.com", "{tenantid}", "72f988bf86f141af91ab2d7cd011db47"].map(entra)
        + [
            keycloak("", at: URL(literal: "https://id.example")),
            keycloak("app", at: URL(literal: "id.example")), keycloak("app", at: URL(literal: "http://id.example")),
            keycloak("app", at: URL(literal: "https://id.example?realm=app")),
        ]
}

// With the parameters that every preset has.
extension OpenIDPresetsTests {
    private static func auth0(_ domain: String) -> Configuration {
        .auth0(domain: domain, clientID: "app", redirect: redirect)
    }

    private static func okta(_ domain: String) -> Configuration {
        .okta(domain: domain, clientID: "app", redirect: redirect)
    }

    private static func zitadel(_ domain: String) -> Configuration {
        .zitadel(domain: domain, projectID: "project", clientID: "app", redirect: redirect)
    }

    private static func logto(_ endpoint: String) -> Configuration {
        .logto(endpoint: endpoint, clientID: "app", redirect: redirect)
    }

    private static func entra(_ tenant: String) -> Configuration {
        .entra(tenant: tenant, clientID: "app", redirect: redirect)
    }

    private static func keycloak(_ realm: String, at server: URL) -> Configuration {
        .keycloak(realm: realm, at: server, clientID: "app", redirect: redirect)
    }

    private static func azureB2C(
        tenant: String = "contoso", tenantID: String = PlayedVendor.tenant, policy: String = "B2C_1_signin",
        scopes: [String] = ["openid"]
    ) -> Configuration {
        .azureB2C(
            tenant: tenant, tenantID: tenantID, policy: policy, clientID: "app", redirect: redirect, scopes: scopes)
    }
}
