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
        /// Where the metadata are; `nil` for the places that follow from the issuer's identifier.
        ///
        /// They must name the issuer all the same.
        public var metadataURL: URL?
        /// Members that are added to the issuer's metadata or replace theirs, by their names in the document:
        /// `["end_session_endpoint": "https://id.example.com/logout"]`.
        ///
        /// The rules for the document apply to them. `issuer` cannot be replaced.
        public var metadataOverrides: [String: AuthJSON] = [:]
        /// Changes further rules for ID tokens, after ``trustedAudiences``.
        public var idTokenRules: @Sendable (inout IDTokenRules) -> Void = { _ in }
        /// Whether the parameters of the page are sent to the issuer before the page is shown, so that the browser's
        /// URL has none of them (RFC 9126), if the issuer's metadata have an endpoint for it.
        ///
        /// `true` unless set. An issuer that requires it is always asked so.
        public var pushesAuthorizationRequests = true
        /// Whether the issuer's tokens are bound to a key of this device, so that a stolen token is of no use without the key
        /// (DPoP, RFC 9449).
        ///
        /// `false` unless set. It needs an ``OpenIDRepository``, whose session the tokens are, and an issuer that binds tokens: one
        /// that gives bearer tokens all the same ends the sign-in with `misconfigured`. The key is in the Secure Enclave, or where
        /// there is none in the session's store, on Linux made by OpenSSL. Requests to your API are sent by `AuthService.data(for:)`,
        /// which proves the key.
        public var usesDPoP = false

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
    }

    /// Makes a provider by a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer.
    ///   - redeemer: Which side redeems the code; the app unless given.
    ///   - userAgent: Shows the issuer's page.
    ///   - transport: Sends the requests to the issuer.
    ///   - store: Where the key is that tokens are bound to, with ``Configuration/usesDPoP``: the store of the service. Without one,
    ///     attempts end with `misconfigured` then.
    ///   - clock: Provides the time for the ID token's times, the age of the metadata and the proofs of a key.
    public init(
        _ configuration: Configuration, redeemer: Redeemer = .app, userAgent: any UserAgent,
        transport: any AuthHTTPTransport, store: (any SessionStore)? = nil, clock: AuthClock = .system
    ) {
        self.init(
            OAuthClient(configuration, transport: transport, store: store, clock: clock),
            redirect: configuration.redirect,
            scopes: configuration.scopes, options: configuration.options,
            redeemer: redeemer, userAgent: userAgent)
    }
}

extension OAuthClient {
    /// Makes the client of a configuration.
    ///
    /// - Parameter store: Where the key is that tokens are bound to; attempts without one end with `misconfigured` if they are to be.
    init(
        _ configuration: OpenIDProvider.Configuration, transport: any AuthHTTPTransport, store: (any SessionStore)?,
        clock: AuthClock
    ) {
        self.init(
            configuration.id, issuer: configuration.issuer, clientID: configuration.clientID,
            authentication: configuration.authentication, metadataURL: configuration.metadataURL,
            metadataOverrides: configuration.metadataOverrides, transport: transport, clock: clock)
        idTokenRules = { [audiences = configuration.trustedAudiences, change = configuration.idTokenRules] in
            $0.trustedAudiences = audiences
            change(&$0)
        }
        pushesAuthorizationRequests = configuration.pushesAuthorizationRequests
        if configuration.usesDPoP { dpop = DPoP(DPoPKeys(in: store), clock: clock) }
    }
}
