public import AuthStreams
public import Foundation

/// Signs in with any OpenID Connect issuer: authorization code flow, PKCE, `state`, and a validated ID token.
///
/// ```swift
/// let keycloak = OpenIDProvider(
///     "keycloak", issuer: "https://id.example.com/realms/app", clientID: "app",
///     redirect: .redirect(URL(string: "com.example.app:/callback")!), userAgent: browser, transport: transport)
/// ```
///
/// The issuer's metadata are fetched at the first attempt, and again when they are stale. The credential has the ID token with
/// its nonce, the access token, and the person's identifier at the issuer. The issuer's refresh token is dropped: the
/// session is your server's.
///
/// Rules: OpenID Connect Core 1.0, OpenID Connect Discovery 1.0, RFC 8414, RFC 8252, RFC 9207, RFC 9700.
public struct OpenIDProvider: AuthProvider {
    /// The identifier that the service and your server know it by.
    public let id: ProviderID
    /// The issuer's page.
    public var methodKinds: [SignInMethod.Kind] { [.web] }

    /// The scopes that sign a person in.
    public static let defaultScopes = ["openid", "email", "profile"]

    /// What to ask of the issuer beyond signing in (OpenID Connect Core section 3.1.2.1).
    public struct Options: Sendable {
        /// How long ago the person may have logged in at the issuer: `max_age`, in whole seconds. The ID token's `auth_time` is checked.
        public var maximumAge: Duration?
        /// The accepted methods of logging in, the preferred one first: `acr_values`. The ID token's `acr` must be one of them.
        public var acrValues: [String] = []
        /// The languages of the page, the preferred one first: `ui_locales`, as tags of BCP 47.
        public var locales: [String] = []
        /// Further parameters of the page, such as `domain_hint`. Those that the provider sends itself are ignored here.
        public var parameters: [String: String] = [:]

        /// Makes options that ask nothing.
        public init() {}
    }

    private let clientID: String
    private let authentication: ClientAuthentication
    private let redirect: AuthorizationPage.Return
    private let scopes: [String]
    private let options: Options
    private let userAgent: any UserAgent
    private let transport: any HTTPTransport
    private let clock: AuthClock
    private let issuer: Issuer

    /// Makes the secrets of each request. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }
    /// Whether this system verifies signatures. Tests simulate one that does not.
    var canVerify = Signatures.isAvailable

    /// Makes a provider for one client of an issuer.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by, such as `keycloak`.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it: an https URL without query and fragment.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is at the token endpoint; none, a public client, unless given.
    ///   - redirect: How the answer returns; it must be registered at the issuer. Use one of its own for each issuer: an
    ///     issuer that does not name itself in its answers cannot be told from another by them (RFC 9700 section 4.4).
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - options: What else to ask.
    ///   - userAgent: Shows the issuer's page.
    ///   - transport: Sends the requests to the issuer.
    ///   - clock: Provides the time for the ID token's times and the age of the metadata.
    public init(
        _ id: ProviderID, issuer: String, clientID: String, authentication: ClientAuthentication = .none,
        redirect: AuthorizationPage.Return, scopes: [String] = defaultScopes, options: Options = Options(),
        userAgent: any UserAgent, transport: any HTTPTransport, clock: AuthClock = .system
    ) {
        self.id = id
        self.clientID = clientID
        self.authentication = authentication
        self.redirect = redirect
        self.scopes = ["openid"] + scopes
        self.options = options
        self.userAgent = userAgent
        self.transport = transport
        self.clock = clock
        self.issuer = Issuer(issuer, transport: transport, clock: clock)
    }

    /// Returns one sign-in at the issuer.
    ///
    /// ``AuthRequest/prompts`` are sent as `prompt`; re-authentication adds `login`. Whether
    /// the issuer asked again is checked only with ``Options/maximumAge``; otherwise your server compares `auth_time`. Errors: `misconfigured` before anything is
    /// shown for an identifier that is no issuer's; `issuerMismatch` if the metadata, the callback or the ID token are of another
    /// issuer; `accessDenied` if the person or the issuer declines; `unsupportedProvider` for a kind other than
    /// ``methodKinds``; those of the metadata, the user agent, the token endpoint and the ID-token rules.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request, secrets: makeSecrets()) }
    }

    private func attempt(
        _ request: AuthRequest, secrets: AuthorizationSecrets
    ) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let (metadata, keys, callback, redirectURI) = try await steps.run(.presenting) {
            guard !clientID.isEmpty else {
                throw AuthError(.misconfigured, "The issuer's client has no client ID. Register one at the issuer.")
            }
            let (metadata, keys) = try await issuer.current()
            let expected = ExpectedCallback(
                state: secrets.state, issuer: metadata.issuer, isIssuerRequired: metadata.namesIssuerInCallbacks)
            let answer = try await userAgent.callback(
                of: page(at: metadata.authorization, for: request, secrets), comingBackBy: redirect,
                expecting: expected,
                presentation: request.presentation)
            return (metadata, keys, answer.callback, answer.redirectURI)
        }
        return try await steps.run(.exchanging) {
            let answer = try await TokenEndpoint(url: metadata.token, transport: transport).redeem(
                code: try callback.code(), clientID: clientID, authentication: authentication, redirectURI: redirectURI,
                verifier: secrets.proofKey.verifier)
            guard let token = answer.idToken else {
                throw AuthError(.invalidResponse, "The issuer's answer has no ID token although openid was asked for.")
            }
            var context = IDTokenContext(
                channel: .tokenEndpoint, nonce: secrets.nonce, accessToken: answer.accessToken, date: answer.date)
            context.maximumAge = options.maximumAge
            context.acceptedACRs = Set(options.acrValues)
            var validator = IDTokenValidator(
                rules: IDTokenRules(issuers: [metadata.issuer], clientID: clientID), keys: keys, clock: clock)
            validator.canVerify = canVerify
            let idToken = try await validator.validate(token, in: context)
            return Credential(
                provider: id, idToken: token, rawNonce: secrets.nonce, accessToken: answer.accessToken,
                userID: idToken.subject)
        }
    }

    private func page(
        at endpoint: URL, for request: AuthRequest, _ secrets: AuthorizationSecrets
    ) -> AuthorizationRequest {
        var page = AuthorizationRequest(endpoint: endpoint, clientID: clientID, state: secrets.state)
        // First, so that the flow's own parameters take their place.
        for (name, value) in options.parameters.sorted(by: { $0.key < $1.key }) where !page.has(name) {
            page.set(name, value)
        }
        page.set("scope", joinedScopes(scopes + request.extraScopes))
        page.set("nonce", secrets.nonce.reveal())
        page.challenge(with: secrets.proofKey)
        page.set("login_hint", request.loginHint)
        let prompts = request.prompts + (request.purpose == .reauthenticate ? [.login] : [])
        page.set("prompt", joinedScopes(prompts.map(\.rawValue)))
        page.set("max_age", options.maximumAge.map { "\(max(0, $0.components.seconds))" })
        page.set("acr_values", joinedScopes(options.acrValues))
        page.set("ui_locales", joinedScopes(options.locales))
        return page
    }
}

extension OpenIDProvider {
    /// A realm of a Keycloak server.
    ///
    /// - Parameters:
    ///   - realm: The realm's name.
    ///   - server: The server's URL, with `/auth` where it has that path.
    ///   - clientID: The client ID.
    ///   - redirect: How the answer returns; it must be registered at the client.
    ///   - userAgent: Shows Keycloak's page.
    ///   - transport: Sends the requests to Keycloak.
    public static func keycloak(
        realm: String, at server: URL, clientID: String, redirect: AuthorizationPage.Return,
        userAgent: any UserAgent, transport: any HTTPTransport
    ) -> OpenIDProvider {
        OpenIDProvider(
            "keycloak", issuer: server.appending(path: "realms").appending(path: realm).absoluteString,
            clientID: clientID, redirect: redirect, userAgent: userAgent, transport: transport)
    }
}
