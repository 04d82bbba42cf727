public import AuthStreams
public import Foundation

/// Signs in with Apple through its web page, on systems without the native sheet, such as Linux.
///
/// With any scope, Apple posts its answer to an https address of yours, and an app cannot receive a POST. So a small
/// relay on your server forwards it:
///
/// ```
/// app ── page ──► appleid.apple.com ── form_post ──► relayURL (your server) ── 303 ──► callback (the app)
/// ```
///
/// ## What the relay does
///
/// It accepts `POST` with `application/x-www-form-urlencoded`, and answers `303 See Other` with the `callback` URL as
/// its `Location`. To that it adds these posted fields as query parameters, percent-encoded and otherwise unchanged:
/// `code`, `id_token`, `state`, `user`, `error`. It sends `Cache-Control: no-store`, stores nothing, logs no field, and
/// redirects to no other address. This provider checks the attempt's `state` and `nonce`; it and your server verify the
/// ID token's signature.
///
/// ## What the credential carries
///
/// The ID token, the raw nonce (Apple received its SHA-256 in hex), the authorization code with the relay as its
/// redirect URI, Apple's identifier of the person, and at this person's first authorization a `Credential.Profile`,
/// which Apple never returns again. Only your server, which has the client secret, can redeem the code, within five
/// minutes.
///
/// Apple's web flow documents no PKCE, so none is sent; the nonce binds the ID token to the attempt, and its `c_hash` the
/// code to the ID token (OpenID Connect Core section 3.3.2.11).
public struct AppleWebProvider: AuthProvider {
    /// A scope that Apple supports.
    public enum Scope: String, Hashable, Sendable {
        /// The name, returned at the first authorization only.
        case name
        /// The person's e-mail address, or a private relay address.
        case email
    }

    /// `apple.com`.
    public var id: ProviderID { .apple }
    /// Apple's page.
    public var methodKinds: [SignInMethod.Kind] { [.web] }

    var client: OAuthClient
    private let relayURL: URL
    private let callback: URL
    private let scopes: [Scope]
    private let userAgent: any UserAgent
    private let endpoints: Endpoints

    /// Makes the secrets of each request. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }

    /// Makes a provider for one Services ID.
    ///
    /// - Parameters:
    ///   - servicesID: The identifier of type Services ID, which Apple's tokens name as their audience.
    ///   - relayURL: The relay, registered with Apple as a return URL. Https; plain http only on this machine, which Apple
    ///     itself does not allow but the emulator does.
    ///   - callback: The URL to which the relay redirects: a scheme of the app's own, or an https link that it claims.
    ///   - scopes: The requested scopes.
    ///   - userAgent: Shows Apple's page.
    ///   - transport: Fetches Apple's keys.
    ///   - clock: Provides the time for the ID token's times.
    ///   - endpoints: Apple's endpoints.
    public init(
        servicesID: String, relayURL: URL, callback: URL, scopes: [Scope] = [.name, .email],
        userAgent: any UserAgent, transport: any AuthHTTPTransport, clock: AuthClock = .system,
        endpoints: Endpoints = .production
    ) {
        client = OAuthClient(
            .apple, metadata: endpoints.metadata, clientID: servicesID, dialect: Self.dialect,
            transport: transport, clock: clock)
        self.relayURL = relayURL
        self.callback = callback
        self.scopes = scopes
        self.userAgent = userAgent
        self.endpoints = endpoints
    }

    /// Returns one sign-in with Apple.
    ///
    /// Errors: `misconfigured` before anything is shown, `cancelled` if the person cancels on Apple's page, those of
    /// the user agent and of the ID-token rules, `unsupportedProvider` for a kind other than ``methodKinds``. Apple's page has
    /// no hint and no prompt, so the request's are ignored.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request, secrets: makeSecrets()) }
    }

    /// The app's callback URL, to which the relay hands on.
    public var callbackURLs: [URL] { [callback] }

    /// That of the page.
    public var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }

    /// Finishes an attempt of an earlier process.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }
}

extension AppleWebProvider {
    /// Page, relay, ID token. There is no token request, because the server with the client secret redeems the code.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        try request.requireQuestions(of: id)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let hashedNonce = Secret(AppleNonce.hashed(secrets.nonce))
        do { try checkAddresses() } catch { throw error.located(provider: id) }
        let grant = try await steps.run(.presenting) {
            try await userAgent.grant(
                for: page(for: request, state: secrets.state, nonce: hashedNonce), request, secrets: secrets,
                redirect: .redirect(callback), relay: relayURL, dialect: Self.dialect)
        }
        await keepProfile(of: grant, for: request)
        return try await steps.run(.exchanging) {
            let code = try grant.callback.code()
            guard let token = grant.callback["id_token"].map(Secret.init) else {
                throw AuthError(.invalidResponse, "The callback has no ID token. Does the relay hand on every field?")
            }
            let idToken = try await client.idToken(token, for: grant)
            var credential = Credential(
                provider: id, idToken: token, rawNonce: grant.rawNonce,
                authorizationCode: Credential.AuthorizationCode(code: code, redirectURI: grant.redirectURI),
                userID: idToken.subject, profile: grant.callback["user"].flatMap(AppleProfile.parse),
                isBound: grant.isBound)
            credential.isPrivateEmail = AppleRelayAddress.isShared(by: idToken.claims)
            return credential
        }
    }

    /// Stores the profile, which Apple returns only once, before the keys are fetched; also if the task is cancelled or
    /// the device's clock is wrong.
    private func keepProfile(of grant: AuthorizationGrant, for request: AuthRequest) async {
        guard let profile = grant.callback["user"].flatMap(AppleProfile.parse),
            let token = grant.callback["id_token"].map(Secret.init),
            // The token identifies the person, and its nonce the attempt. The profile is used only after the signature
            // was verified.
            let claimed = try? await client.identify(token, for: grant)
        else { return }
        await request.keepProfile(Credential(provider: id, userID: claimed.subject, profile: profile))
    }

    /// Apple's web flow documents no PKCE.
    private func page(for request: AuthRequest, state: Secret, nonce: Secret) -> AuthorizationRequest {
        var page = AuthorizationRequest(
            endpoint: endpoints.authorization, clientID: client.clientID, responseType: "code id_token", state: state)
        page.set("scope", words: scopes.map(\.rawValue) + request.extraScopes)
        // Required with any scope; and with an ID token in the answer Apple does not allow a query.
        page.set("response_mode", "form_post")
        page.set("nonce", nonce.reveal())
        return page
    }

    /// Apple's errors beyond the codes of the specifications.
    private static let dialect: OAuthFailure.Dialect = { failure in
        guard failure.error == "user_cancelled_authorize" else { return nil }
        return AuthError(.cancelled, "The person cancelled on Apple's page.")
    }

    private func checkAddresses() throws(AuthError) {
        guard !client.clientID.isEmpty else {
            throw AuthError(.misconfigured, "Apple has no Services ID. Create one in the developer account.")
        }
        guard relayURL.keepsSecrets, relayURL.fragment() == nil else {
            throw AuthError(
                .misconfigured,
                "Apple's relay must be an https URL without fragment: Apple posts the answer there, to your server.")
        }
        guard let scheme = callback.scheme?.lowercased(), scheme != "http" || callback.keepsSecrets else {
            throw AuthError(
                .misconfigured, "The callback of Apple's relay must be a scheme of the app or an https link it claims.")
        }
    }
}

extension AuthProviderFactory {
    /// Sign-in with Apple by its web page and a relay on your server; see ``AppleWebProvider``.
    ///
    /// An app on Apple systems uses `.apple` of AuthStreamsApple, the system's sheet, which needs none of this.
    ///
    /// - Parameters:
    ///   - servicesID: The identifier of type Services ID, which Apple's tokens name as their audience.
    ///   - relay: The relay, registered with Apple as a return URL.
    ///   - callback: The URL of the app to which the relay redirects. On the command line attempts end with `misconfigured`.
    ///   - scopes: The requested scopes.
    ///   - endpoints: Apple's endpoints.
    public static func apple(
        servicesID: String, relay: URL, callback: URL, scopes: [AppleWebProvider.Scope] = [.name, .email],
        endpoints: AppleWebProvider.Endpoints = .production
    ) -> Self {
        Self { platform in
            AppleWebProvider(
                servicesID: servicesID, relayURL: relay, callback: callback, scopes: scopes,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
        }
    }
}
