public import AuthStreams
public import Foundation

/// Signs in with any OpenID Connect issuer: authorization code flow, PKCE, `state`, and a validated ID token.
///
/// ```swift
/// let keycloak = OpenIDProvider(
///     .keycloak(
///         realm: "app", at: URL(string: "https://id.example.com")!, clientID: "app",
///         redirect: .redirect(URL(string: "com.example.app:/callback")!)),
///     userAgent: browser, transport: transport)
/// ```
///
/// In a service that is made for a platform it is `.openID(_:issuer:clientID:redirect:)`.
///
/// The issuer's metadata are fetched at the first attempt, and again when they are stale. The credential has the ID token
/// with its nonce, the access token, and the person's identifier at the issuer. The issuer's refresh token is dropped: the
/// session is your server's. Without a server of your own, let an ``OpenIDRepository`` redeem the code: the issuer's
/// tokens are then the session.
///
/// Firebase knows such a provider as `oidc.NAME`, which must then be its identifier here.
///
/// Rules: OpenID Connect Core 1.0, OpenID Connect Discovery 1.0, RFC 8414, RFC 8252, RFC 9207, RFC 9700.
public struct OpenIDProvider: AuthProvider {
    /// The identifier that the service and your server know it by.
    public var id: ProviderID { client.id }
    /// The issuer's page.
    public var methodKinds: [SignInMethod.Kind] { [.web] }

    /// The scopes that sign a person in.
    public static let defaultScopes = ["openid", "email", "profile"]

    /// What to ask of the issuer beyond signing in (OpenID Connect Core section 3.1.2.1).
    public struct Options: Sendable {
        /// How long ago the person may have logged in at the issuer: `max_age`, in whole seconds; negative values count
        /// as zero. The ID token's `auth_time` is checked.
        public var maximumAge: Duration?
        /// The accepted methods of logging in, the preferred one first: `acr_values`. The ID token's `acr` must be one of
        /// them.
        public var acrValues: [String] = []
        /// The languages of the page, the preferred one first: `ui_locales`, as tags of BCP 47.
        public var locales: [String] = []
        /// Further parameters of the page, such as `domain_hint`.
        ///
        /// Those that the provider sends itself, and those that change the answer or replace the request
        /// (`response_mode`, `request`, `request_uri`, `registration`, `claims`), end the attempt with `misconfigured`.
        public var parameters: [String: String] = [:]

        /// Makes options that ask nothing.
        public init() {}
    }

    /// Which side redeems the code at the issuer's token endpoint.
    public enum Redeemer: Equatable, Sendable {
        /// The app: the credential has the tokens.
        case app
        /// The repository, or the server behind it: the credential has the code with its PKCE verifier and redirect URI.
        case repository
    }

    /// The client at the issuer.
    let client: OAuthClient
    let options: Options
    private let redirect: AuthorizationPage.Redirect
    let scopes: [String]
    private let redeemer: Redeemer
    let userAgent: any UserAgent

    /// Makes the secrets of each request. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }

    /// Makes a provider for one client of an issuer.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by, such as `keycloak`.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it: an https URL without query and fragment.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is at the token endpoint; a public client unless given.
    ///   - redirect: How the answer returns; it must be registered at the issuer. Use one of its own for each issuer: an
    ///     issuer that does not name itself in its answers cannot be told from another by them (RFC 9700 section 4.4).
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    ///   - redeemer: Which side redeems the code; the app unless given.
    ///   - userAgent: Shows the issuer's page.
    ///   - transport: Sends the requests to the issuer.
    ///   - clock: Provides the time for the ID token's times and the age of the metadata.
    package init(
        _ id: ProviderID, issuer: String, clientID: String, authentication: ClientAuthentication = .publicClient,
        redirect: AuthorizationPage.Redirect, scopes: [String] = defaultScopes, options: Options = Options(),
        redeemer: Redeemer = .app, userAgent: any UserAgent, transport: any AuthHTTPTransport,
        clock: AuthClock = .system
    ) {
        self.init(
            OAuthClient(
                id, issuer: issuer, clientID: clientID, authentication: authentication, transport: transport,
                clock: clock),
            redirect: redirect, scopes: scopes, options: options, redeemer: redeemer, userAgent: userAgent)
    }

    /// Makes a provider of a client.
    ///
    /// - Parameters:
    ///   - client: The client at the issuer.
    ///   - redirect: How the answer returns; it must be registered at the issuer.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    ///   - redeemer: Which side redeems the code; the app unless given.
    ///   - userAgent: Shows the issuer's page.
    public init(
        _ client: OAuthClient, redirect: AuthorizationPage.Redirect, scopes: [String] = defaultScopes,
        options: Options = Options(), redeemer: Redeemer = .app, userAgent: any UserAgent
    ) {
        self.client = client
        self.redirect = redirect
        self.scopes = ["openid"] + scopes
        self.options = options
        self.redeemer = redeemer
        self.userAgent = userAgent
    }

    /// Returns one sign-in at the issuer.
    ///
    /// `AuthRequest.prompts` are sent as `prompt`. Re-authentication adds `login` and asks for a log-in of this attempt
    /// (`max_age=0`): an ID token without `auth_time`, or with an earlier one, ends it with `invalidIDToken`. So an issuer
    /// that knows neither, such as Google, signs in but does not re-authenticate here.
    ///
    /// Errors: `misconfigured` before anything is shown for an identifier that is no issuer's; `issuerMismatch` if the
    /// metadata, the callback or the ID token are of another issuer; `accessDenied` if the person or the issuer declines;
    /// `unsupportedProvider` for a kind other than ``methodKinds``; those of the metadata, the user agent, the token
    /// endpoint and the ID-token rules.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request, secrets: makeSecrets()) }
    }

    /// The redirect URI; none with a listener.
    public var callbackURLs: [URL] { redirect.callbackURLs }

    /// That of the page.
    public var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }

    /// Finishes an attempt of an earlier process.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }

    private func attempt(
        _ request: AuthRequest, secrets: AuthorizationSecrets
    ) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        guard client.dpop == nil || redeemer == .repository else {
            throw AuthError(
                .misconfigured,
                """
                `usesDPoP` binds tokens to a key of this device, so they are of no use to a server of yours. Let an \
                `OpenIDRepository` redeem the code, or set `usesDPoP` to `false`.
                """, provider: id)
        }
        let steps = ProgressReporter(of: id, reportingTo: request)
        let grant = try await steps.run(.presenting) {
            try await client.authorize(
                request, scopes: scopes, redirect: redirect, userAgent: userAgent, secrets: secrets
            ) { page throws(AuthError) in try configure(&page, for: request) }
        }
        var credential =
            switch redeemer {
            case .app: try await steps.run(.exchanging) { try await client.credential(for: grant) }
            case .repository: try unredeemedCredential(for: grant)
            }
        (credential.acrValues, credential.maximumAge) = (grant.acceptedACRs.sorted(), grant.maximumAge)
        return credential
    }

    /// Returns the credential with the answer's code, which the repository redeems.
    private func unredeemedCredential(for grant: AuthorizationGrant) throws(AuthError) -> Credential {
        let code: Secret
        do throws(AuthError) { code = try grant.callback.code() } catch {
            throw error.located(provider: id, step: .presenting)
        }
        var credential = Credential(
            provider: id, rawNonce: grant.rawNonce,
            authorizationCode: .init(
                code: code, redirectURI: grant.redirectURI, codeVerifier: grant.verifier, scopes: grant.scopes),
            isBound: grant.isBound)
        credential.authorizationCode?.issuer = grant.callback["iss"]
        credential.warnings = .init { [onWarning = grant.onWarning] in onWarning(AuthError(wrapping: $0)) }
        return credential
    }

    private func configure(_ page: inout AuthorizationRequest, for request: AuthRequest) throws(AuthError) {
        // A re-authentication asks for more than any age.
        if page["max_age"] == nil, let age = request.maximumAge ?? options.maximumAge {
            page.set("max_age", "\(max(0, age.components.seconds))")
        }
        // It describes the person to the issuer that it names, and to no other.
        let hint = request.idTokenHint.flatMap { hint in
            JSONWebToken(hint)?.claims["iss"].map { client.isIssuer($0.string) } ?? true ? hint : nil
        }
        page.set("id_token_hint", hint?.reveal())
        page.set("acr_values", words: request.acrValues.isEmpty ? options.acrValues : request.acrValues)
        page.set("ui_locales", words: options.locales)
        for (name, value) in options.parameters.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, page[name] == nil, !Self.reserved.contains(name) else {
                throw AuthError(
                    .misconfigured,
                    """
                    The parameter '\(name)' has no name, is the provider's own, or changes how the issuer answers. Leave it \
                    out of the options' parameters: prompts and hints are part of the request.
                    """)
            }
            page.set(name, value)
        }
    }

    /// Parameters that are the provider's own also where an attempt does not send them, and those that change the answer.
    private static let reserved: Set = [
        "redirect_uri", "nonce", "prompt", "login_hint", "id_token_hint", "max_age", "acr_values", "ui_locales",
        "code_challenge", "code_challenge_method", "response_mode", "request", "request_uri", "registration", "claims",
        "dpop_jkt",
    ]
}

extension AuthProviderFactory {
    /// Sign-in with any OpenID Connect issuer; see ``OpenIDProvider``.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by, such as `keycloak`.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it.
    ///   - clientID: The client ID of a public client.
    ///   - redirect: How the answer returns, as it is registered at the issuer: `.redirect(_:)` in an app, `.loopback(path:)` on
    ///     the command line. With the other one attempts end with `misconfigured`.
    public static func openID(
        _ id: ProviderID, issuer: String, clientID: String, redirect: AuthorizationPage.Redirect
    ) -> Self {
        .openID(OpenIDProvider.Configuration(id, issuer: issuer, clientID: clientID, redirect: redirect))
    }

    /// Sign-in with an OpenID Connect issuer, by a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer.
    ///   - redeemer: Which side redeems the code. Unless given, the repository if the service's server is
    ///     `AuthRepositoryFactory.openID(_:refreshTokenRule:deletingAccountsBy:)` of the same provider, otherwise the app.
    public static func openID(
        _ configuration: OpenIDProvider.Configuration, redeemer: OpenIDProvider.Redeemer? = nil
    ) -> Self {
        Self { platform in
            let isIssuersRepository = (platform.repository as? OpenIDRepository)?.accepts(configuration.id) == true
            return OpenIDProvider(
                configuration, redeemer: redeemer ?? (isIssuersRepository ? .repository : .app),
                userAgent: platform.userAgent, transport: platform.transport, store: platform.store,
                clock: platform.clock)
        }
    }
}
