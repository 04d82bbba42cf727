public import AuthStreams
public import Foundation

/// A client registered at one authorization server: what the provider of such a server is made of.
///
/// ```swift
/// let client = OAuthClient("keycloak", issuer: "https://id.example.com/realms/app", clientID: "app", transport: transport)
/// ```
///
/// ``authenticate(_:scopes:redirect:userAgent:page:)`` runs a whole sign-in. Its steps are methods too, for a provider that
/// differs in one of them:
///
/// | step | method |
/// | --- | --- |
/// | the page, and its answer | ``authorize(_:scopes:redirect:userAgent:secrets:page:)`` |
/// | the token request | ``redeem(_:parameters:)`` |
/// | the ID token | ``idToken(of:for:)``, ``idToken(_:for:)`` |
/// | the credential | ``credential(for:)`` |
///
/// A client keeps the server's metadata and keys, so a provider makes one and keeps it.
public struct OAuthClient: Sendable {
    /// The provider that credentials and errors name.
    public let id: ProviderID
    /// The client ID.
    public let clientID: String
    /// How the client proves who it is.
    package let authentication: ClientAuthentication
    /// Changes the rules for ID tokens, where the server differs from OpenID Connect: a second spelling of the issuer, a
    /// further audience.
    public var idTokenRules: @Sendable (inout IDTokenRules) -> Void = { _ in }

    /// Whether the parameters of the page are sent to the server before the page is shown, so that the browser's URL
    /// has none of them (RFC 9126), if the server's metadata have an endpoint for it. `true` unless set; a server that
    /// requires it is always asked so.
    public var pushesAuthorizationRequests = true

    /// Binds the server's tokens to a key (RFC 9449); `nil` for bearer tokens.
    var dpop: DPoP?

    let dialect: OAuthFailure.Dialect
    let transport: any AuthHTTPTransport
    let clock: AuthClock
    let issuer: Issuer
    /// Whether this system verifies signatures. Tests simulate one that does not.
    var canVerify = Signatures.isAvailable

    /// Makes a client of an issuer that publishes its metadata.
    ///
    /// The metadata are fetched at the first attempt, and again when they are stale by their `Cache-Control`: after an hour
    /// if it says nothing, after a minute at the earliest, after a day at the latest.
    ///
    /// - Parameters:
    ///   - id: The provider that credentials and errors name.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it: an https URL without query and fragment, or
    ///     http on this machine.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - metadataURL: Where the metadata are; `nil` for the places that follow from the identifier (Discovery section 4,
    ///     RFC 8414 section 3.1).
    ///   - metadataOverrides: Members that are added to the metadata or replace theirs, such as `end_session_endpoint`.
    ///   - dialect: Translates the server's own errors.
    ///   - transport: Sends the requests to the server.
    ///   - clock: Provides the time for an ID token's times and for the age of metadata and keys.
    public init(
        _ id: ProviderID, issuer: String, clientID: String, authentication: ClientAuthentication = .publicClient,
        metadataURL: URL? = nil, metadataOverrides: [String: AuthJSON] = [:],
        dialect: @escaping OAuthFailure.Dialect = { _ in nil }, transport: any AuthHTTPTransport,
        clock: AuthClock = .system
    ) {
        let issuer = Issuer(
            issuer, metadataURL: metadataURL, overrides: metadataOverrides, transport: transport, clock: clock)
        self.init(id, at: issuer, clientID, authentication, dialect, transport, clock)
    }

    /// Makes a client of a server whose metadata are known.
    ///
    /// - Parameters:
    ///   - id: The provider that credentials and errors name.
    ///   - metadata: The server's endpoints.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - dialect: Translates the server's own errors.
    ///   - transport: Sends the requests to the server.
    ///   - clock: Provides the time for an ID token's times and for the age of keys.
    public init(
        _ id: ProviderID, metadata: AuthorizationServerMetadata, clientID: String,
        authentication: ClientAuthentication = .publicClient, dialect: @escaping OAuthFailure.Dialect = { _ in nil },
        transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        self.init(
            id, at: Issuer(metadata, transport: transport, clock: clock), clientID, authentication, dialect, transport,
            clock)
    }

    private init(
        _ id: ProviderID, at issuer: Issuer, _ clientID: String, _ authentication: ClientAuthentication,
        _ dialect: @escaping OAuthFailure.Dialect, _ transport: any AuthHTTPTransport, _ clock: AuthClock
    ) {
        self.id = id
        self.issuer = issuer
        self.clientID = clientID
        self.authentication = authentication
        self.dialect = dialect
        self.transport = transport
        self.clock = clock
    }

    /// Returns the server's metadata, from the cache unless they are stale. Stale ones are returned, too, up to a day after they
    /// were fetched, if the server cannot be reached, is busy or fails.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the configured identifier is no issuer's; `issuerMismatch` if the
    ///   metadata are another issuer's; `invalidResponse` if there are none or an endpoint is unusable; `rateLimited`,
    ///   `server`, or the transport's error.
    @inline(never)  // Not repeated in each of its callers.
    public func metadata() async throws(AuthError) -> AuthorizationServerMetadata {
        try await issuer.current().metadata
    }

    /// Runs one whole sign-in when iterated: page, token request and, if `openid` is among the scopes, the validated ID
    /// token.
    ///
    /// The credential has the access token, the ID token with its nonce, and the person's identifier at the issuer. A
    /// refresh token is dropped: the session is your server's.
    ///
    /// - Parameters:
    ///   - request: The wishes of the attempt, which receives each step.
    ///   - scopes: The requested scopes; the request's extra ones are added.
    ///   - redirect: How the answer returns; it must be registered at the server.
    ///   - userAgent: Shows the page.
    ///   - page: Changes the page's parameters before it is shown.
    /// - Returns: A stream of one credential. Its errors: `unsupportedProvider` for a method kind other than `web`, and
    ///   those of the steps.
    public func authenticate(
        _ request: AuthRequest, scopes: [String], redirect: AuthorizationPage.Redirect, userAgent: any UserAgent,
        page: @escaping @Sendable (inout AuthorizationRequest) throws(AuthError) -> Void = { _ in }
    ) -> AuthStream<Credential> {
        AuthStream {
            guard [nil, .web].contains(request.methodKind) else { throw AuthError.onlyByPage(id) }
            let steps = ProgressReporter(of: id, reportingTo: request)
            let grant = try await steps.run(.presenting) {
                try await authorize(request, scopes: scopes, redirect: redirect, userAgent: userAgent, page: page)
            }
            return try await steps.run(.exchanging) { try await credential(for: grant) }
        }
    }
}

extension OAuthClient {
    /// Shows the server's page and returns its checked answer.
    ///
    /// The page carries `state`, the PKCE challenge (RFC 7636), a `nonce` if `openid` is among the scopes, and the request's
    /// prompts and hint. Re-authentication adds the prompt `login`, and `max_age=0` with `openid`. What the page asks for
    /// decides what the ID token is checked by: `nonce`, `max_age`, `acr_values`.
    ///
    /// - Parameters:
    ///   - request: The wishes of the attempt.
    ///   - scopes: The requested scopes; the request's extra ones are added. Empty for a server without scopes.
    ///   - redirect: How the answer returns.
    ///   - userAgent: Shows the page.
    ///   - secrets: The attempt's `state`, nonce and PKCE key.
    ///   - configure: Changes the page's parameters before it is shown; `nil` takes one away.
    /// - Throws: `AuthError`; `misconfigured` before anything is shown if there is no client ID; `invalidResponse` if the metadata
    ///   require a pushed request and have no endpoint for it; those of ``metadata()``, of
    ///   the pushed request, and of showing the page.
    public func authorize(
        _ request: AuthRequest, scopes: [String], redirect: AuthorizationPage.Redirect,
        userAgent: any UserAgent, secrets: AuthorizationSecrets = AuthorizationSecrets(),
        page configure: (inout AuthorizationRequest) throws(AuthError) -> Void = { _ in }
    ) async throws(AuthError) -> AuthorizationGrant {
        guard !clientID.isEmpty else {
            throw AuthError(.misconfigured, "The provider \(id) has no client ID. Register a client in its console.")
        }
        let server = try await metadata()
        let pushing = try pushedAuthorization(at: server)
        if scopes.contains("openid") {
            warnIfUnverifiable(request)
            // A server whose ID tokens cannot be checked must not bother the person.
            _ = try await validator()
        }
        let key = try await dpopKey(at: server)
        let isSilent = try request.isSilent
        var page = page(for: request, scopes: scopes, at: server, secrets, provingWith: key)
        try configure(&page)
        let expected = ExpectedCallback(
            state: secrets.state, issuer: server.issuer, isIssuerRequired: server.namesIssuerInCallbacks,
            dialect: { [dialect] failure in (isSilent ? failure.ofSilentRequest : nil) ?? dialect(failure) })
        return try await userAgent.grant(
            of: AuthorizationAttempt(
                page: page, secrets: secrets, redirect: redirect, expected: expected, pushing: pushing, clock: clock),
            for: request)
    }

    /// Returns the request for the page of an attempt.
    ///
    /// - Parameter key: The key that the tokens are to be bound to; `nil` for bearer tokens.
    private func page(
        for request: AuthRequest, scopes: [String], at server: AuthorizationServerMetadata,
        _ secrets: AuthorizationSecrets, provingWith key: DPoPKey?
    ) -> AuthorizationRequest {
        let (isOpenID, isReauthentication) = (scopes.contains("openid"), request.purpose == .reauthenticate)
        var page = AuthorizationRequest(
            endpoint: server.authorizationEndpoint, clientID: clientID, state: secrets.state)
        page.set("dpop_jkt", key?.thumbprint)
        page.set("scope", words: scopes + request.extraScopes)
        if isOpenID { page.set("nonce", secrets.nonce(for: request).reveal()) }
        page.challenge(with: secrets.proofKey)
        page.set("login_hint", request.loginHint)
        page.set("prompt", words: (request.prompts + (isReauthentication ? [.login] : [])).map(\.rawValue))
        // Otherwise an issuer that ignores the prompt could confirm a log-in of last week.
        if isOpenID, isReauthentication { page.set("max_age", "0") }
        return page
    }

    /// - Returns: `nil` if the parameters are part of the page's URL.
    private func pushedAuthorization(
        at server: AuthorizationServerMetadata
    ) throws(AuthError) -> PushedAuthorization? {
        guard pushesAuthorizationRequests || server.requiresPushedAuthorizationRequests else { return nil }
        guard let url = server.pushedAuthorizationRequestEndpoint else {
            guard server.requiresPushedAuthorizationRequests else { return nil }
            throw AuthError(
                .invalidResponse,
                """
                The issuer's metadata require pushed requests and have no `pushed_authorization_request_endpoint`. Add it to \
                the metadata's overrides.
                """)
        }
        var endpoint = TokenEndpoint(url: url, transport: transport, dialect: dialect)
        endpoint.name = "endpoint for pushed requests"
        endpoint.server = server
        // The parameter `dpop_jkt` says which key, so no proof is needed (RFC 9449 section 10.1).
        if let dpop { endpoint.onResponse = { dpop.note($0, from: $1) } }
        return PushedAuthorization(endpoint: endpoint, clientID: clientID, authentication: authentication)
    }
}

extension OAuthClient {
    /// Returns the key that new tokens are bound to; `nil` for bearer tokens.
    ///
    /// It is stored before this returns, so before the server can bind a token to it.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the server accepts no proofs by ES256, or there is no place for a key; those of
    ///   ``DPoPKeys/current()``.
    func dpopKey(at server: AuthorizationServerMetadata) async throws(AuthError) -> DPoPKey? {
        guard let dpop else { return nil }
        if let algorithms = server.dpopSigningAlgorithms, !algorithms.contains("ES256") {
            let supported = algorithms.prefix(8).map(OAuthFailure.sanitized).joined(separator: ", ")
            throw AuthError(
                .misconfigured,
                """
                The issuer accepts proofs of a key (`dpop_signing_alg_values_supported`) by \
                \(supported.isEmpty ? "no algorithm" : supported), and not by ES256. Set `usesDPoP` to `false`, or enable \
                ES256 at the issuer.
                """)
        }
        return try await dpop.keys.current()
    }

    /// Requires that the tokens of a sign-in are bound to a key of the client, where it binds tokens, and to none where it does not: a
    /// bearer token is never used in place of a bound one.
    ///
    /// - Throws: `misconfigured`; also for tokens that a provider with another store got, whose key this client does not have; those
    ///   of ``DPoPKeys/key(_:)``.
    func requireBinding(of answer: TokenResponse) async throws(AuthError) {
        guard let thumbprint = answer.keyThumbprint else {
            if dpop != nil { throw .unboundTokens }
            return
        }
        guard let dpop else {
            throw AuthError(
                .misconfigured,
                """
                The provider's tokens are bound to a key, and the repository does not use one. Make both by the same configuration: \
                set `usesDPoP` for both, or for neither.
                """)
        }
        do throws(AuthError) { _ = try await dpop.keys.key(thumbprint) } catch {
            guard error.classification.sessionEnd == .keyLost else { throw error }
            throw AuthError(
                .misconfigured,
                """
                The provider's tokens are bound to a key that is not in the repository's store. Make the provider and the repository \
                with the same `store`.
                """)
        }
    }

    /// Warns once that this system verifies no signatures.
    func warnIfUnverifiable(_ request: AuthRequest) {
        guard !canVerify, issuer.isFirst(.unverifiable) else { return }
        request.onWarning(
            AuthError(
                .misconfigured,
                """
                This system has no library that verifies the signatures of ID tokens. Those of the token endpoint are accepted, \
                because TLS authenticates it; others are refused. On Linux, install OpenSSL 3 or 1.1.
                """, provider: id))
    }

    /// Warns once that the token endpoint does not say the type of its tokens, which are used as bearer tokens.
    func warnIfTypeIsMissing(in answer: TokenResponse, _ warn: (AuthError) -> Void) {
        guard answer.members["token_type"] ?? .null == .null, issuer.isFirst(.missingTokenType) else { return }
        warn(
            AuthError(
                .invalidResponse,
                """
                The token endpoint's answer has no `token_type`, which RFC 6749 section 5.1 requires. The access token \
                is used as a bearer token.
                """, provider: id, step: .exchanging))
    }
}

extension AuthError {
    /// The error of an issuer that gives bearer tokens although a key was proven.
    static var unboundTokens: Self {
        AuthError(
            .misconfigured,
            """
            The issuer did not bind the tokens to the key: their `token_type` is not DPoP, so they are not used. Enable DPoP for \
            the client in the issuer's console (`dpop_bound_access_tokens`), or set `usesDPoP` to `false`.
            """)
    }

    static func onlyByPage(_ provider: ProviderID) -> Self {
        AuthError(
            .unsupportedProvider, "The provider \(provider) signs in by its page only. Leave the method kind out.",
            provider: provider)
    }
}
