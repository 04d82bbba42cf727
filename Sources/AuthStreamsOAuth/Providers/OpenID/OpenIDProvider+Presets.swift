public import AuthStreams
public import Foundation

/// The issuers whose identifier follows from what their console shows. *Use any issuer* has the source of each fact.
///
/// A domain is written as `example.auth0.com`; `https://example.auth0.com/` means the same. With one that has a path or is
/// empty, attempts end with `misconfigured` before any request.
extension OpenIDProvider.Configuration {
    /// A tenant of Auth0.
    ///
    /// Its identifier ends with a slash. Auth0 gives a refresh token for the scope `offline_access`, and an access token
    /// that your API can verify for the parameter `audience` among the options.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - domain: The tenant's domain, such as `example.us.auth0.com`, or its custom domain.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func auth0(
        _ id: ProviderID = "auth0", domain: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        Self(
            id, issuer: issuer(at: domain, path: "/"), clientID: clientID, authentication: authentication,
            redirect: redirect, scopes: scopes, options: options)
    }

    /// An authorization server of Okta.
    ///
    /// Okta gives a refresh token for the scope `offline_access`.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - domain: The organization's domain, such as `example.okta.com`, or its custom domain.
    ///   - authorizationServer: The identifier of a custom authorization server; `default` unless given. `nil` for that of the
    ///     organization, whose access tokens are for Okta's own API.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func okta(
        _ id: ProviderID = "okta", domain: String, authorizationServer: String? = "default", clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        let path = authorizationServer.map { isSegment($0) ? "/oauth2/\($0)" : nil } ?? ""
        return Self(
            id, issuer: issuer(at: domain, path: path), clientID: clientID, authentication: authentication,
            redirect: redirect, scopes: scopes, options: options)
    }

    /// A user pool of Amazon Cognito, which needs a domain for its pages.
    ///
    /// Cognito always gives a refresh token, and has no scope for it. The app client must allow each scope. Unless the app
    /// client rotates refresh tokens, each works any number of times: give the repository the rule `reusable`.
    ///
    /// Cognito's log-out page has parameters of its own, so the metadata's `end_session_endpoint` is left out, and
    /// `AuthService.endIssuerSession` ends with `unsupportedProvider`.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - region: The region, such as `us-east-1`.
    ///   - userPool: The user pool's ID, such as `us-east-1_EXAMPLE`.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func cognito(
        _ id: ProviderID = "cognito", region: String, userPool: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        let path = isSegment(region) && isSegment(userPool) ? "/\(userPool)" : nil
        var configuration = Self(
            id, issuer: issuer(at: "cognito-idp.\(region).amazonaws.com", path: path), clientID: clientID,
            authentication: authentication, redirect: redirect, scopes: scopes, options: options)
        configuration.metadataOverrides = ["end_session_endpoint": .null]
        return configuration
    }

    /// A realm of a Keycloak server.
    ///
    /// Keycloak always gives a refresh token. It ends with the person's session at the issuer; with the scope
    /// `offline_access` it outlives that.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by; `keycloak` unless given.
    ///   - realm: The realm's name.
    ///   - server: The server's URL, with `/auth` where it has that path. A trailing slash makes no difference.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func keycloak(
        _ id: ProviderID = "keycloak", realm: String, at server: URL, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        let base = server.absoluteString
        // A realm is one segment of the path, whichever characters its name has.
        let issuer = "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/realms/\(FormCoding.escape(realm))"
        return Self(
            id, issuer: realm.isEmpty ? unusable(realm) : issuer, clientID: clientID, authentication: authentication,
            redirect: redirect, scopes: scopes, options: options)
    }

    /// An application of a Zitadel project.
    ///
    /// The ID tokens of Zitadel name the project and all its applications as audiences. The project of each scope
    /// `urn:zitadel:iam:org:project:id:…:aud` is trusted as well. If such a scope names Zitadel's own project as `zitadel`, add
    /// that project's number to the configuration's trusted audiences.
    ///
    /// Zitadel gives a refresh token for the scope `offline_access`, if the application has it switched on. The claims of
    /// `email` and `profile` are part of the user information, not of the ID token, unless the application has that on.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - domain: The instance's domain, such as `example-abc123.zitadel.cloud`.
    ///   - projectID: The project's resource ID.
    ///   - otherClientIDs: The client IDs of the project's other applications.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func zitadel(
        _ id: ProviderID = "zitadel", domain: String, projectID: String, otherClientIDs: Set<String> = [],
        clientID: String, authentication: ClientAuthentication = .publicClient,
        redirect: AuthorizationPage.Redirect, scopes: [String] = OpenIDProvider.defaultScopes,
        options: OpenIDProvider.Options = .init()
    ) -> Self {
        var configuration = Self(
            id, issuer: issuer(at: domain), clientID: clientID, authentication: authentication, redirect: redirect,
            scopes: scopes, options: options)
        let (prefix, suffix) = ("urn:zitadel:iam:org:project:id:", ":aud")
        let requested = scopes.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst(prefix.count).dropLast(suffix.count)) }
        configuration.trustedAudiences = otherClientIDs.union([projectID]).union(requested)
        return configuration
    }

    /// A tenant of Logto, in the cloud or on your own server.
    ///
    /// Logto gives a refresh token for the scope `offline_access` with the prompt `consent`: sign in with
    /// `AuthRequest(prompts: [.consent])`. It signs with ES384 unless its keys were changed to RSA.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - endpoint: Logto's endpoint, such as `example.logto.app` or `https://example.logto.app/`.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    public static func logto(
        _ id: ProviderID = "logto", endpoint: String, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = OpenIDProvider.defaultScopes, options: OpenIDProvider.Options = .init()
    ) -> Self {
        Self(
            id, issuer: issuer(at: endpoint, path: "/oidc"), clientID: clientID, authentication: authentication,
            redirect: redirect, scopes: scopes, options: options)
    }

    /// A channel of LINE Login.
    ///
    /// LINE signs the ID tokens of its page with the channel's secret (HS256), and those of its app with a key (ES256). Anyone
    /// who reads the secret in an app can sign such a token. Let your server redeem the code, or check the access token at
    /// LINE (`GET https://api.line.me/oauth2/v2.1/verify`) instead of the ID token.
    ///
    /// LINE always gives a refresh token.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know the provider by.
    ///   - channelID: The channel ID of the LINE Developers console.
    ///   - channelSecret: The channel's secret, which LINE's token endpoint requires; `nil` where a server redeems the code.
    ///   - redirect: How the answer returns; it must be among the channel's callback URLs.
    ///   - scopes: The requested scopes. LINE grants `email` after an application in the console.
    ///   - options: What else to ask. LINE accepts its own parameters here, such as `bot_prompt`.
    public static func line(
        _ id: ProviderID = "line", channelID: String, channelSecret: Secret? = nil,
        redirect: AuthorizationPage.Redirect, scopes: [String] = ["openid", "profile"],
        options: OpenIDProvider.Options = .init()
    ) -> Self {
        var configuration = Self(
            id, issuer: "https://access.line.me", clientID: channelID,
            authentication: channelSecret.map { .post($0) } ?? .publicClient, redirect: redirect, scopes: scopes,
            options: options)
        configuration.idTokenRules = { $0.sharedSecret = channelSecret }
        return configuration
    }
}

extension OpenIDProvider.Configuration {
    /// Returns an issuer's identifier, made of a domain that is written with or without `https://` and a slash.
    ///
    /// - Parameters:
    ///   - domain: A host, with a port if it has one. With `http://` it is of this machine, or refused by the issuer.
    ///   - path: What follows the host; `nil` if it was given wrongly.
    /// - Returns: The identifier, or ``unusable(_:)``.
    static func issuer(at domain: String, path: String? = "") -> String {
        var host = domain.lowercased()
        let scheme = ["https://", "http://"].first { host.hasPrefix($0) }
        host.removeFirst(scheme?.count ?? 0)
        if host.hasSuffix("/") { host.removeLast() }
        guard let path, let first = host.utf8.first, isLetterOrDigit(first),
            host.utf8.allSatisfy({ isLetterOrDigit($0) || "-.:".utf8.contains($0) })
        else { return unusable(domain) }
        return "\(scheme ?? "https://")\(host)\(path)"
    }

    /// Returns a text that is no issuer's identifier, so that attempts end with `misconfigured` before any request.
    static func unusable(_ value: String) -> String { "\(value) (given to a preset)" }

    /// Returns whether a name is one segment of a path as it stands.
    static func isSegment(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }
}
