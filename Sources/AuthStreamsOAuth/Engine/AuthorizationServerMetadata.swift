import AuthStreams
public import Foundation

/// What an authorization server publishes about itself: its issuer identifier and its endpoints (RFC 8414 section 2,
/// OpenID Connect Discovery 1.0 section 3).
///
/// A client made with an issuer's identifier fetches them. Write them down for a server that publishes none, such as
/// GitHub's.
public struct AuthorizationServerMetadata: Equatable, Sendable {
    /// The issuer's identifier, exactly as ID tokens and callbacks name it; `nil` for a server without one, which signs no
    /// ID tokens.
    ///
    /// A segment `{tenantid}` of its path stands for the tenant, as in Microsoft Entra's: an ID token must name the
    /// issuer with its own `tid`, a UUID, in that place.
    public var issuer: String?
    /// The page at which the person signs in.
    public var authorizationEndpoint: URL
    /// Where codes and refresh tokens are redeemed; `nil` if only the app's server redeems them.
    public var tokenEndpoint: URL?
    /// The keys that sign ID tokens: a JSON Web Key Set (RFC 7517).
    public var jwksURI: URL?
    /// The claims about a user, for an access token (OpenID Connect Core section 5.3).
    public var userInfoEndpoint: URL?
    /// Ends tokens (RFC 7009).
    public var revocationEndpoint: URL?
    /// The page that ends the person's session at the issuer (OpenID Connect RP-Initiated Logout 1.0).
    public var endSessionEndpoint: URL?
    /// Whether every callback names the issuer, so that one without `iss` is refused (RFC 9207 section 3).
    public var namesIssuerInCallbacks: Bool
    /// Takes the parameters of a page before the page is shown (RFC 9126).
    public var pushedAuthorizationRequestEndpoint: URL?
    /// Whether the server shows a page only for parameters that were pushed (RFC 9126 section 5).
    public var requiresPushedAuthorizationRequests: Bool
    /// How clients may prove who they are at the token endpoint, such as `client_secret_basic`; `nil` if the server does
    /// not say.
    public var tokenEndpointAuthenticationMethods: [String]?
    /// Gives codes that a person enters on another device (RFC 8628 section 4).
    public var deviceAuthorizationEndpoint: URL?
    /// The algorithms by which the server accepts proofs of a key, such as `ES256` (RFC 9449 section 5.1); `nil` if the server does
    /// not say.
    public var dpopSigningAlgorithms: [String]?

    /// Describes a server.
    public init(
        issuer: String? = nil, authorizationEndpoint: URL, tokenEndpoint: URL?, jwksURI: URL? = nil,
        userInfoEndpoint: URL? = nil, revocationEndpoint: URL? = nil, endSessionEndpoint: URL? = nil,
        namesIssuerInCallbacks: Bool = false, pushedAuthorizationRequestEndpoint: URL? = nil,
        requiresPushedAuthorizationRequests: Bool = false, tokenEndpointAuthenticationMethods: [String]? = nil,
        deviceAuthorizationEndpoint: URL? = nil, dpopSigningAlgorithms: [String]? = nil
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
        self.userInfoEndpoint = userInfoEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.endSessionEndpoint = endSessionEndpoint
        self.namesIssuerInCallbacks = namesIssuerInCallbacks
        self.pushedAuthorizationRequestEndpoint = pushedAuthorizationRequestEndpoint
        self.requiresPushedAuthorizationRequests = requiresPushedAuthorizationRequests
        self.tokenEndpointAuthenticationMethods = tokenEndpointAuthenticationMethods
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.dpopSigningAlgorithms = dpopSigningAlgorithms
    }

    /// Reads a document.
    ///
    /// - Parameter issuer: The issuer that was asked.
    /// - Throws: `issuerMismatch` if the document is another issuer's, compared as strings (Discovery section 4.3),
    ///   except for the tenant where the document has `{tenantid}`;
    ///   `invalidResponse` if an endpoint is missing, or is neither https nor on this machine.
    init(_ document: AuthJSON, of issuer: String) throws(AuthError) {
        guard let name = document["issuer"]?.string.flatMap({ Self.name($0, ofIssuerAt: issuer) }) else {
            throw AuthError(
                .issuerMismatch,
                "The metadata is of another issuer than the configured one. Copy `issuer` from it, character by character."
            )
        }
        func endpoint(_ name: String) throws(AuthError) -> URL? {
            guard document[name] ?? .null != .null else { return nil }
            // Only an issuer without https, such as one on this machine, has such endpoints.
            let isLocal = issuer.lowercased().hasPrefix("http:")
            guard let url = document[name]?.string.flatMap(URL.init(string:)), url.keepsSecrets,
                url.fragment() == nil, url.user() == nil, url.password() == nil,
                isLocal || url.scheme?.lowercased() == "https"
            else { throw Self.unusable(name) }
            return url
        }
        guard let authorization = try endpoint("authorization_endpoint") else {
            throw Self.unusable("authorization_endpoint")
        }
        guard let token = try endpoint("token_endpoint") else { throw Self.unusable("token_endpoint") }
        self.init(
            issuer: name, authorizationEndpoint: authorization, tokenEndpoint: token,
            jwksURI: try endpoint("jwks_uri"), userInfoEndpoint: try endpoint("userinfo_endpoint"),
            revocationEndpoint: try endpoint("revocation_endpoint"),
            endSessionEndpoint: try endpoint("end_session_endpoint"),
            namesIssuerInCallbacks: document["authorization_response_iss_parameter_supported"] == .bool(true),
            pushedAuthorizationRequestEndpoint: try endpoint("pushed_authorization_request_endpoint"),
            requiresPushedAuthorizationRequests: document["require_pushed_authorization_requests"] == .bool(true),
            tokenEndpointAuthenticationMethods: document["token_endpoint_auth_methods_supported"]?.array?
                .compactMap(\.string),
            dpopSigningAlgorithms: document["dpop_signing_alg_values_supported"]?.array?.compactMap(\.string))
        deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
    }

    /// Returns the name by which ID tokens are checked, given that in the document and the issuer that was asked; `nil`
    /// for another issuer.
    private static func name(_ published: String, ofIssuerAt issuer: String) -> String? {
        if published == issuer { return issuer }
        guard let template = TenantTemplate(published) else { return nil }
        if template.isAnyTenant(issuer) { return published }
        // A configuration that names one tenant accepts that one alone.
        return template.includes(issuer) ? issuer : nil
    }

    private static func unusable(_ name: String) -> AuthError {
        AuthError(.invalidResponse, "The issuer's metadata have no https URL without user and fragment as `\(name)`.")
    }
}
