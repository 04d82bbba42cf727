public import AuthStreams
public import Foundation

extension OpenIDProvider {
    /// A client at an issuer, and what its page is asked.
    public struct Configuration: Sendable {
        /// The identifier that the service and your server know the provider by, such as `keycloak`.
        public var id: ProviderID
        /// The issuer's identifier, exactly as its metadata spell it: an https URL without query and fragment.
        ///
        /// Where the metadata have `{tenantid}`, as those of Microsoft Entra, `common` or `organizations` in that place
        /// accept the ID tokens of any tenant, and a UUID those of that tenant alone.
        public var issuer: String
        /// The client ID.
        public var clientID: String
        /// How the client proves who it is at the token endpoint.
        public var authentication: ClientAuthentication
        /// How the answer returns; it must be registered at the issuer.
        public var redirect: AuthorizationPage.Redirect
        /// The requested scopes; `openid` is always added.
        public var scopes: [String]
        /// What else to ask.
        public var options: Options
        /// The audiences that an ID token may name beside the client; none unless set.
        ///
        /// Zitadel, for example, adds its project and the project's other clients. An ID token with further audiences
        /// is refused unless each is listed here and `azp` is this client (OpenID Connect Core 3.1.3.7, rules 3 to 5).
        public var trustedAudiences: Set<String> = []
        /// Whether the parameters of the page are sent to the issuer before the page is shown, so that the browser's
        /// URL has none of them (RFC 9126).
        ///
        /// `false` unless set. An issuer whose metadata require it is always asked so. At an issuer without an endpoint
        /// for it, attempts end with `misconfigured`.
        public var pushesAuthorizationRequests = false

        /// Makes a configuration.
        ///
        /// - Parameters:
        ///   - id: The identifier that the service and your server know the provider by.
        ///   - issuer: The issuer's identifier.
        ///   - clientID: The client ID.
        ///   - authentication: How the client proves who it is; a public client unless given.
        ///   - redirect: How the answer returns: `.redirect(_:)` in an app, `.loopback(path:)` on the command line. With the
        ///     other one attempts end with `misconfigured`.
        ///   - scopes: The requested scopes.
        ///   - options: What else to ask.
        public init(
            _ id: ProviderID, issuer: String, clientID: String, authentication: ClientAuthentication = .publicClient,
            redirect: AuthorizationPage.Redirect, scopes: [String] = defaultScopes, options: Options = Options()
        ) {
            self.id = id
            self.issuer = issuer
            self.clientID = clientID
            self.authentication = authentication
            self.redirect = redirect
            self.scopes = scopes
            self.options = options
        }

        /// A realm of a Keycloak server.
        ///
        /// - Parameters:
        ///   - id: The identifier that the service and your server know the provider by; `keycloak` unless given.
        ///   - realm: The realm's name.
        ///   - server: The server's URL, with `/auth` where it has that path. A trailing slash makes no difference.
        ///   - clientID: The client ID.
        ///   - authentication: How the client proves who it is; a public client unless given.
        ///   - redirect: How the answer returns; it must be registered at the client.
        ///   - scopes: The requested scopes.
        ///   - options: What else to ask.
        public static func keycloak(
            _ id: ProviderID = "keycloak", realm: String, at server: URL, clientID: String,
            authentication: ClientAuthentication = .publicClient, redirect: AuthorizationPage.Redirect,
            scopes: [String] = defaultScopes, options: Options = Options()
        ) -> Self {
            let base = server.absoluteString
            // A realm is one segment of the path, whichever characters its name has.
            let issuer = "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/realms/\(FormCoding.escape(realm))"
            return Self(
                id, issuer: issuer, clientID: clientID, authentication: authentication, redirect: redirect,
                scopes: scopes, options: options)
        }
    }

    /// Makes a provider by a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer.
    ///   - redeemer: Which side redeems the code; the app unless given.
    ///   - userAgent: Shows the issuer's page.
    ///   - transport: Sends the requests to the issuer.
    ///   - clock: Provides the time for the ID token's times and the age of the metadata.
    package init(
        _ configuration: Configuration, redeemer: Redeemer = .app, userAgent: any UserAgent,
        transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        var client = OAuthClient(
            configuration.id, issuer: configuration.issuer, clientID: configuration.clientID,
            authentication: configuration.authentication, transport: transport, clock: clock)
        client.idTokenRules = { [audiences = configuration.trustedAudiences] in $0.trustedAudiences = audiences }
        client.pushesAuthorizationRequests = configuration.pushesAuthorizationRequests
        self.init(
            client, redirect: configuration.redirect, scopes: configuration.scopes, options: configuration.options,
            redeemer: redeemer, userAgent: userAgent)
    }
}

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
    package static func keycloak(
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
