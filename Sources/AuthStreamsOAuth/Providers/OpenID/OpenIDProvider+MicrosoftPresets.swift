public import AuthStreams
import Foundation

/// Microsoft's issuers. *Use any issuer* has the source of each fact.
extension OpenIDProvider.Configuration {
    /// A tenant of Microsoft Entra ID, or any of them.
    ///
    /// A person is known by `sub`, or by the claims `oid` and `tid` together. The claim `email` is neither verified nor
    /// constant, and Entra sends no `email_verified`: never find an account by it. Entra gives a refresh token for the
    /// scope `offline_access`.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - tenant: The tenant's ID, a UUID; `organizations` for work and school accounts of any tenant, `consumers` for personal
    ///     accounts, or `common` for both. The ID token's `tid` must be the tenant that its `iss` names. With a tenant's
    ///     domain attempts end with `misconfigured`, because Entra's metadata do not name it.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func entra(
        _ id: ProviderID = "entra", tenant: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        let name =
            switch tenant {
            case "common", "organizations": tenant as String?
            // The metadata name the tenant of personal accounts by its ID.
            case "consumers": "9188040d-6c67-4c5b-b112-36a304b66dad"
            default: uuid(tenant)
            }
        return Self(
            id, issuer: name.map { "https://login.microsoftonline.com/\($0)/v2.0" } ?? unusable(tenant),
            clientID: clientID, authentication: authentication, redirect: redirect, scopes: scopes, options: options)
    }

    /// An external tenant of Microsoft Entra External ID, for customers.
    ///
    /// The metadata are at the tenant's subdomain, and name an issuer at another one. Entra gives a refresh token for the scope
    /// `offline_access`.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - tenant: The tenant's subdomain: `contoso` for `contoso.ciamlogin.com`.
    ///   - tenantID: The tenant's ID, a UUID.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func entraExternalID(
        _ id: ProviderID = "entraExternalID", tenant: String, tenantID: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        let uuid = isSegment(tenant) ? uuid(tenantID) : nil
        var configuration = Self(
            id, issuer: uuid.map { "https://\($0).ciamlogin.com/\($0)/v2.0" } ?? unusable("\(tenant), \(tenantID)"),
            clientID: clientID, authentication: authentication, redirect: redirect, scopes: scopes, options: options)
        configuration.metadataURL = uuid.flatMap {
            URL(string: "https://\(tenant).ciamlogin.com/\($0)/v2.0/.well-known/openid-configuration")
        }
        return configuration
    }

    /// A user flow or custom policy of an Azure AD B2C tenant, which Microsoft has sold to no new customers since May 2025.
    ///
    /// The metadata are at the policy's path, and name the tenant as the issuer. B2C gives an access token only for a
    /// scope of an API. Where the scopes have none, the client ID is added, which asks for one of the app itself. B2C gives
    /// a refresh token for the scope `offline_access`. The policy decides the claims; there is no scope `email`.
    ///
    /// For a domain of your own, or a policy whose *Issuer (iss) claim* has `/tfp/`, change `issuer` and `metadataURL`
    /// afterwards.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - tenant: The tenant's name: `contoso` for `contoso.onmicrosoft.com`.
    ///   - tenantID: The tenant's ID, a UUID.
    ///   - policy: The name of the user flow or policy, such as `B2C_1_signin`.
    ///   - scopes: The requested scopes; `openid` and the client ID unless given.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - options: What else to ask.
    public static func azureB2C(
        _ id: ProviderID = "azureB2C", tenant: String, tenantID: String, policy: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = ["openid"], options: OpenIDProvider.Options = .init()
    ) -> Self {
        let uuid = isSegment(tenant) && isSegment(policy) ? uuid(tenantID) : nil
        let namesResource = !Set(scopes).isSubset(of: ["openid", "profile", "email", "offline_access"])
        var configuration = Self(
            id,
            issuer: uuid.map { "https://\(tenant).b2clogin.com/\($0)/v2.0/" }
                ?? unusable("\(tenant), \(tenantID), \(policy)"),
            clientID: clientID, authentication: authentication, redirect: redirect,
            scopes: namesResource ? scopes : scopes + [clientID], options: options)
        configuration.metadataURL = uuid.flatMap { _ in
            URL(
                string: """
                    https://\(tenant).b2clogin.com/\(tenant).onmicrosoft.com/\(policy)/v2.0/.well-known/openid-configuration
                    """)
        }
        return configuration
    }

    /// Returns a UUID as Microsoft's metadata spell it; `nil` for another text.
    private static func uuid(_ text: String) -> String? {
        text.utf8.count == 36 ? UUID(uuidString: text)?.uuidString.lowercased() : nil
    }
}
