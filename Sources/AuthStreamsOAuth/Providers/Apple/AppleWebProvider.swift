public import AuthStreams
public import Foundation

/// Signs in with Apple through its web page: where the native sheet does not exist, such as Linux.
///
/// Apple posts its answer to an https address of yours as soon as any scope is asked for, and an app cannot receive a
/// post. So a small relay on your server hands it on:
///
/// ```
/// app ── page ──► appleid.apple.com ── form_post ──► relayURL (your server) ── 303 ──► callback (the app)
/// ```
///
/// ## What the relay does
///
/// It accepts `POST` with `application/x-www-form-urlencoded`, and answers `303 See Other` with a `Location` of the
/// `callback` URL, to which it adds as query parameters, percent-encoded and otherwise unchanged, those of these fields
/// that were posted: `code`, `id_token`, `state`, `user`, `error`. It sends `Cache-Control: no-store`, keeps nothing,
/// logs no field, and redirects to no other address than that one. The attempt's `state` and `nonce` are checked here,
/// the ID token's signature here and on your server.
///
/// ## What the credential carries
///
/// The ID token, the raw nonce (Apple got its SHA-256 in hex), the authorization code with the relay as its redirect URI,
/// Apple's id of the person, and at the first authorization of this person a ``Credential/Profile``, which Apple never
/// tells again. The code can be redeemed only where the client secret is, on your server, within five minutes.
///
/// Apple's web flow documents no PKCE, so none is sent; the nonce ties the answer to the attempt.
public struct AppleWebProvider: AuthProvider {
    /// What Apple may be asked for.
    public enum Scope: String, Hashable, Sendable {
        /// The name, told at the first authorization only.
        case name
        /// The e-mail address, theirs or a private relay one.
        case email
    }

    /// `apple.com`.
    public var id: ProviderID { .apple }
    /// Apple's page.
    public var means: [SignInMeans] { [.web] }

    let servicesID: String
    let relayURL: URL
    let callback: URL
    let scopes: [Scope]
    let userAgent: any UserAgent
    let endpoints: Endpoints
    var validator: IDTokenValidator

    /// What each request makes for itself. Tests make it predictable.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }

    /// Makes a provider for one Services ID.
    ///
    /// - Parameters:
    ///   - servicesID: The identifier of type Services ID, which Apple's tokens name as their audience.
    ///   - relayURL: The relay, registered with Apple as a return URL. Https; plain http only on this machine, which Apple
    ///     itself does not allow but the emulator does.
    ///   - callback: Where the relay sends the answer: a scheme of the app's own, or an https link that it claims.
    ///   - scopes: What is asked for.
    ///   - userAgent: Shows Apple's page.
    ///   - transport: Fetches Apple's keys.
    ///   - clock: Judges the ID token's times.
    ///   - endpoints: Where Apple is.
    public init(
        servicesID: String, relayURL: URL, callback: URL, scopes: [Scope] = [.name, .email],
        userAgent: any UserAgent, transport: any HTTPTransport, clock: AuthClock = .system,
        endpoints: Endpoints = .production
    ) {
        self.servicesID = servicesID
        self.relayURL = relayURL
        self.callback = callback
        self.scopes = scopes
        self.userAgent = userAgent
        self.endpoints = endpoints
        validator = IDTokenValidator(
            rules: IDTokenRules(issuers: [endpoints.issuer], clientID: servicesID),
            keys: IssuerKeys(url: endpoints.keys, transport: transport, clock: clock), clock: clock)
    }

    /// One sign-in with Apple.
    ///
    /// Errors: `misconfigured` before anything is shown, `cancelled` when the person cancels on Apple's page, those of
    /// the user agent and of the ID-token rules, `unsupportedProvider` for means other than ``means``. Apple's page takes
    /// no hint and no prompt, so the request's are ignored.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request, secrets: makeSecrets()) }
    }
}
