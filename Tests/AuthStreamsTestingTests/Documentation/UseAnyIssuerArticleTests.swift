import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// The table of the article about issuers has a row for each preset, with the identifier that the preset makes.
@Suite struct UseAnyIssuerArticleTests {
    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let redirect = AuthorizationPage.Redirect.redirect(URL(literal: "com.example.app:/callback"))

    /// By the names of the functions.
    private static let presets: [String: OpenIDProvider.Configuration] = [
        "entra": .entra(tenant: "organizations", clientID: "app", redirect: redirect),
        "entraExternalID": .entraExternalID(tenant: "contoso", tenantID: tenant, clientID: "app", redirect: redirect),
        "azureB2C": .azureB2C(
            tenant: "contoso", tenantID: tenant, policy: "B2C_1_signin", clientID: "app", redirect: redirect),
        "auth0": .auth0(domain: "example.us.auth0.com", clientID: "app", redirect: redirect),
        "okta": .okta(domain: "example.okta.com", clientID: "app", redirect: redirect),
        "cognito": .cognito(
            region: "us-east-1", userPool: "us-east-1_EXAMPLE", clientID: "app", redirect: redirect),
        "keycloak": .keycloak(
            realm: "app", at: URL(literal: "https://id.example.com"), clientID: "app", redirect: redirect),
        "zitadel": .zitadel(
            domain: "example.zitadel.cloud", projectID: "7", clientID: "app", redirect: redirect),
        "logto": .logto(endpoint: "example.logto.app", clientID: "app", redirect: redirect),
        "line": .line(channelID: "1650000000", redirect: redirect),
    ]

    @Test func rowsHaveTheIdentifiersOfThePresets() throws {
        let rows = try MarkdownFile("Sources/AuthStreamsOAuth/AuthStreamsOAuth.docc/UseAnyIssuer.md").rows
            .filter { $0.mark == .init(verb: "table", name: "presets") }
        let named = Dictionary(rows.map { (String($0.name.prefix { $0 != "(" }), $0.cells) }) { first, _ in first }
        #expect(rows.count == named.count && Set(named.keys) == Set(Self.presets.keys))
        for (name, preset) in Self.presets {
            #expect(named[name]?[1] == "`\(preset.issuer)`")
            #expect(named[name]?.last?.contains("](https://") == true, "\(name) has no source")
        }
    }

    @Test func everyPresetHasARow() throws {
        let folder = "Sources/AuthStreamsOAuth/Providers/OpenID"
        let functions = try ["OpenIDProvider+Presets", "OpenIDProvider+MicrosoftPresets"].flatMap { file in
            try packageFile("\(folder)/\(file).swift").matches(of: /public static func (\w+)/).map { String($0.1) }
        }
        #expect(functions.sorted() == Self.presets.keys.sorted())
    }
}
