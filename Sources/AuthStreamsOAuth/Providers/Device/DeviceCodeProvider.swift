public import AuthStreams
import Foundation

/// Signs in on a device without a browser or a keyboard, such as a television or a terminal: the person enters a code on
/// another device (RFC 8628).
///
/// ```swift
/// let auth = AuthService(.openID(issuer), providers: [.deviceCode(issuer)], platform: .commandLine)
/// Task {
///     for await prompt in auth.prompts.presenting() {
///         if let code = prompt?.userCode { print("Open \(code.verificationURI.absoluteString) and enter \(code.code)") }
///     }
/// }
/// let user = try await auth.signIn(with: issuer.id).value.user
/// ```
///
/// A prompt shows the code and the address. Meanwhile the provider asks the token endpoint until the person has answered:
///
/// | the server's answer | consequence |
/// | --- | --- |
/// | `authorization_pending` | asked again after the interval that the server named, five seconds unless it did |
/// | `slow_down` | likewise, and every pause from then on is five seconds longer |
/// | none, 429 or 5xx | asked again after the server's `Retry-After`, or after twice the last pause, up to a minute, until the server answers. The pause is not doubled if nothing was sent, such as without a network. The `Retry-After` of a page does not count |
/// | likewise, with a `Retry-After` beyond the code's lifetime | the attempt ends with `timedOut`, which has the server's words and its `retryAfter` |
/// | `access_denied`, or Microsoft Entra's `authorization_declined` | the attempt ends with `accessDenied` |
/// | `expired_token`, or none of these until the code's lifetime is over | the attempt ends with `timedOut`. A new attempt has a new code |
/// | `invalid_grant`, or a code of its own, after the code's lifetime | likewise: the server has forgotten the code |
/// | any other error | the attempt ends with it, as at any token endpoint |
///
/// The `error` of an answer counts, and not its status. The lifetime counts from before the code was asked for, and the last
/// requests are one interval before its end and at its end. The lifetime goes on while the device sleeps. When the device wakes
/// after the end, the provider polls once more and accepts the tokens that the server still gives. If that answer is lost, such as
/// because the network is not back, up to two more requests follow.
///
/// An attempt that is cancelled sends no further request for tokens. Tokens that arrive at that moment are ended at the server, as far
/// as it can be reached.
///
/// The credential has the access token and, from an OpenID Connect issuer, the validated ID token. It has no nonce, which RFC
/// 8628 does not know. A service whose server is `AuthRepositoryFactory.openID(_:refreshTokenRule:deletingAccountsBy:)` of the
/// same issuer keeps the tokens as its session, the refresh token included; with any other server the refresh token is dropped.
///
/// Anyone who reads the code can answer with an account of their own (RFC 8628 section 5.4). So the credential is not bound,
/// and linking and re-authentication end with `unsupportedProvider`.
///
/// Rules: RFC 8628, OpenID Connect Core 1.0, RFC 8414.
public struct DeviceCodeProvider: AuthProvider {
    /// The identifier that the service and your server know it by.
    public var id: ProviderID { client.id }
    /// A code for another device.
    public var methodKinds: [SignInMethod.Kind] { [.deviceCode] }

    private let client: OAuthClient
    private let scopes: [String]
    private let parameters: [String: String]
    /// Why no attempt can succeed; `nil` if one can.
    private let fault: AuthError?

    /// Makes a provider of a client, of an issuer or of a server without ID tokens.
    ///
    /// - Parameters:
    ///   - client: The client at the server, whose metadata have a device authorization endpoint.
    ///   - scopes: The requested scopes. An ID token is required if `openid` is among them.
    ///   - parameters: Further parameters of the device authorization request, such as `audience`; none unless given.
    init(
        _ client: OAuthClient, scopes: [String] = OpenIDProvider.defaultScopes, parameters: [String: String] = [:]
    ) {
        self.init(client, scopes: scopes, parameters: parameters, fault: nil)
    }

    private init(_ client: OAuthClient, scopes: [String], parameters: [String: String], fault: AuthError?) {
        self.client = client
        self.scopes = scopes
        self.parameters = parameters
        self.fault = fault
    }

    /// Makes a provider of an issuer's client, such as that of an ``OpenIDRepository``.
    ///
    /// Tokens that are bound to a key (`usesDPoP`) are of use to an ``OpenIDRepository`` alone.
    ///
    /// Its options' `parameters` are sent. `maximumAge` and `acrValues` cannot be requested this way, so with one of them
    /// attempts end with `misconfigured`. The redirect is not used.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer; `openid` is always among the requested scopes.
    ///   - transport: Sends the requests to the issuer.
    ///   - store: Where the key is that tokens are bound to, with `usesDPoP` of the configuration: the store of the service. Without
    ///     one, attempts end with `misconfigured` then.
    ///   - clock: Measures the pauses and the code's lifetime, and provides the time for the ID token's times.
    public init(
        _ configuration: OpenIDProvider.Configuration, transport: any AuthHTTPTransport,
        store: (any SessionStore)? = nil, clock: AuthClock = .system
    ) {
        self.init(configuration, transport: transport, store: store, clock: clock, fault: nil)
    }

    fileprivate init(
        _ configuration: OpenIDProvider.Configuration, transport: any AuthHTTPTransport,
        store: (any SessionStore)?, clock: AuthClock, fault: AuthError?
    ) {
        let options = configuration.options
        let isRequestable = options.maximumAge == nil && options.acrValues.isEmpty
        self.init(
            OAuthClient(configuration, transport: transport, store: store, clock: clock),
            scopes: ["openid"] + configuration.scopes,
            parameters: options.parameters,
            fault: isRequestable
                ? fault
                : AuthError(
                    .misconfigured,
                    """
                    A device authorization request has no `max_age` and no `acr_values` (RFC 8628 section 3.1). Leave `maximumAge` \
                    and `acrValues` out of the configuration's options, or sign in by the issuer's page.
                    """))
    }

    /// Returns one sign-in by a code.
    ///
    /// Errors, before anything is sent: `misconfigured` outside of `AuthService` and `AuthSignIn`; `unsupportedProvider` for linking,
    /// re-authentication, the prompt `none`, and a kind other than ``methodKinds``. Later: `misconfigured` if the server has no
    /// device authorization endpoint, or refuses the client there, or if nothing shows prompts; `invalidResponse` if its answer cannot be used, with the
    /// name of the member; `accessDenied` if the person declines; `timedOut` if the code expires; those of the metadata, the
    /// token endpoint and the ID-token rules. A `verification_uri_complete` that cannot be used is left out, which
    /// `AuthRequest.onWarning` reports.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request) }
    }

    private func attempt(_ request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        try request.requireQuestions(of: id)
        guard request.purpose == .signIn else {
            throw AuthError(
                .unsupportedProvider,
                """
                Anyone who reads the code can answer, so it is no proof for linking or re-authentication. Ask by the provider's \
                page.
                """, provider: id)
        }
        var seen: Set<String> = [""]
        let scopes = (scopes + request.extraScopes).filter { seen.insert($0).inserted }
        let steps = ProgressReporter(of: id, reportingTo: request)
        let answer = try await steps.run(.presenting) {
            if let fault { throw fault }
            return try await client.deviceTokens(request, scopes: scopes, parameters: parameters)
        }
        do throws(AuthError) {
            let credential = try await steps.run(.exchanging) {
                try await client.deviceCredential(of: answer, scopes: scopes, onWarning: request.onWarning)
            }
            guard !Task.isCancelled else { throw .cancelled }
            return credential
        } catch {
            if error.code == .cancelled { client.drop(answer) }
            throw error.located(provider: id, step: .exchanging)
        }
    }
}

extension AuthProviderFactory {
    /// Sign-in at an OpenID Connect issuer by a code for another device; see ``DeviceCodeProvider``.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by, such as `keycloak`.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given. Google requires a secret.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - parameters: Further parameters of the device authorization request; none unless given.
    public static func deviceCode(
        _ id: ProviderID, issuer: String, clientID: String, authentication: ClientAuthentication = .publicClient,
        scopes: [String] = OpenIDProvider.defaultScopes, parameters: [String: String] = [:]
    ) -> Self {
        Self { platform in
            DeviceCodeProvider(
                OAuthClient(
                    id, issuer: issuer, clientID: clientID, authentication: authentication,
                    transport: platform.transport, clock: platform.clock),
                scopes: ["openid"] + scopes, parameters: parameters)
        }
    }

    /// Sign-in at an OpenID Connect issuer by a code for another device, with the client of
    /// ``openID(_:redeemer:)`` or of the service's repository.
    ///
    /// With `usesDPoP`, attempts end with `misconfigured` if the service's server is not
    /// `AuthRepositoryFactory.openID(_:refreshTokenRule:deletingAccountsBy:)` of the same provider.
    ///
    /// - Parameter configuration: The client at the issuer; see ``DeviceCodeProvider/init(_:transport:store:clock:)``.
    public static func deviceCode(_ configuration: OpenIDProvider.Configuration) -> Self {
        Self { platform in
            let isIssuersRepository = (platform.repository as? OpenIDRepository)?.accepts(configuration.id) == true
            return DeviceCodeProvider(
                configuration, transport: platform.transport, store: platform.store, clock: platform.clock,
                fault: !configuration.usesDPoP || isIssuersRepository
                    ? nil
                    : AuthError(
                        .misconfigured,
                        """
                        `usesDPoP` binds tokens to a key of this device, so they are of no use to a server of yours. Make the \
                        service with `.openID(_:)` of the same configuration, or set `usesDPoP` to `false`.
                        """))
        }
    }

    /// Sign-in at a server whose metadata are known by a code for another device, such as GitHub, which signs no ID tokens.
    ///
    /// ```swift
    /// .deviceCode("github", metadata: github, clientID: "Iv1.8a61f9b3a7aba766", scopes: ["read:user"])
    /// ```
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by.
    ///   - metadata: The server's endpoints, with the device authorization endpoint and the token endpoint.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - scopes: The requested scopes. An ID token is required if `openid` is among them.
    ///   - parameters: Further parameters of the device authorization request; none unless given.
    public static func deviceCode(
        _ id: ProviderID, metadata: AuthorizationServerMetadata, clientID: String,
        authentication: ClientAuthentication = .publicClient, scopes: [String], parameters: [String: String] = [:]
    ) -> Self {
        Self { platform in
            DeviceCodeProvider(
                OAuthClient(
                    id, metadata: metadata, clientID: clientID, authentication: authentication,
                    transport: platform.transport, clock: platform.clock),
                scopes: scopes, parameters: parameters)
        }
    }
}
