public import AuthStreams
public import Foundation

extension OpenIDProvider {
    /// A realm of a Keycloak server.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by; `keycloak` unless given.
    ///   - realm: The realm's name.
    ///   - server: The server's URL, with `/auth` where it has that path. A trailing slash makes no difference.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    ///   - redeemer: Which side redeems the code; the app unless given.
    ///   - userAgent: Shows Keycloak's page.
    ///   - transport: Sends the requests to Keycloak.
    ///   - clock: Provides the time for the ID token's times and the age of the metadata.
    public static func keycloak(
        _ id: ProviderID = "keycloak", realm: String, at server: URL, clientID: String,
        authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
        scopes: [String] = defaultScopes, options: Options = Options(), redeemer: Redeemer = .app,
        userAgent: any UserAgent, transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) -> OpenIDProvider {
        OpenIDProvider(
            .keycloak(
                id, realm: realm, at: server, clientID: clientID, authentication: authentication, redirect: redirect,
                scopes: scopes, options: options),
            redeemer: redeemer, userAgent: userAgent, transport: transport, clock: clock)
    }

    /// A channel of LINE Login.
    ///
    /// LINE signs the ID tokens of its page with the channel's secret (HS256), and those of its app with a key (ES256). Anyone
    /// who reads the secret in an app can sign such a token. Let your server redeem the code, or check the access token at
    /// LINE (`GET https://api.line.me/oauth2/v2.1/verify`) instead of the ID token.
    ///
    /// - Parameters:
    ///   - channelID: The channel ID of the LINE Developers console.
    ///   - channelSecret: The channel's secret, which LINE requires of channels that include web apps; `nil` for others.
    ///   - redirect: How the answer returns; it must be among the channel's callback URLs.
    ///   - scopes: The requested scopes; `openid` is always added. LINE grants `email` after an application in the console.
    ///   - options: What else to ask. LINE accepts its own parameters here, such as `bot_prompt`.
    ///   - redeemer: Which side redeems the code; the app unless given. A server that redeems it keeps the secret.
    ///   - userAgent: Shows LINE's page.
    ///   - transport: Sends the requests to LINE.
    ///   - clock: Provides the time for the ID token's times and the age of the metadata.
    public static func line(
        channelID: String, channelSecret: Secret?, redirect: AuthorizationPage.Redirect,
        scopes: [String] = ["openid", "profile"], options: Options = Options(), redeemer: Redeemer = .app,
        userAgent: any UserAgent, transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) -> OpenIDProvider {
        var client = OAuthClient(
            "line", issuer: "https://access.line.me", clientID: channelID,
            authentication: channelSecret.map { .post($0) } ?? .publicClient, transport: transport, clock: clock)
        client.idTokenRules = { $0.sharedSecret = channelSecret }
        return OpenIDProvider(
            client, redirect: redirect, scopes: scopes, options: options, redeemer: redeemer, userAgent: userAgent)
    }
}
