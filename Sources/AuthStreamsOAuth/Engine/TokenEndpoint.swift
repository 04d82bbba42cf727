public import AuthStreams
public import Foundation

/// A token endpoint: sends a form and returns tokens or a typed error (RFC 6749 sections 4.1.3, 5.1 and 5.2).
///
/// An `error` member is an error with any status, because Naver sends errors with 200. No redirect is followed. Of a body
/// an error contains only the code, and the description without anything secret.
public struct TokenEndpoint: Sendable {
    /// The endpoint's URL.
    package let url: URL
    /// Sends the requests.
    package let transport: any AuthHTTPTransport
    /// Translates the server's own errors.
    package internal(set) var dialect: OAuthFailure.Dialect
    /// The name of the endpoint in errors. The endpoint for pushed requests answers in the same form.
    var name = "token endpoint"
    /// Whether the `Retry-After` of a page counts, which an intermediary may have sent.
    var heedsPages = true
    /// What its server publishes about itself; `nil` if that is not known.
    var server: AuthorizationServerMetadata?
    /// Proves the key that its tokens are to be bound to (RFC 9449 section 5); `nil` for bearer tokens.
    var binding: (dpop: DPoP, key: DPoPKey)?
    /// Receives each response with the URL that was asked, for its nonce.
    var onResponse: @Sendable (AuthHTTPResponse, URL) -> Void = { _, _ in }

    /// Makes a token endpoint.
    ///
    /// - Parameters:
    ///   - url: An https URL, or http on this machine.
    ///   - transport: Sends the requests.
    ///   - dialect: Translates the server's own errors.
    public init(
        url: URL, transport: any AuthHTTPTransport, dialect: @escaping OAuthFailure.Dialect = { _ in nil }
    ) {
        self.url = url
        self.transport = transport
        self.dialect = dialect
    }

    /// Redeems an authorization code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - clientID: The client ID.
    ///   - authentication: How the client proves who it is; a public client unless given.
    ///   - redirectURI: Exactly that of the authorization request; `nil` if it had none.
    ///   - verifier: The PKCE verifier; `nil` if the request had no challenge.
    ///   - extra: Further fields, such as Kakao's `ios_bundle_id`.
    public func redeem(
        code: Secret, clientID: String, authentication: ClientAuthentication = .publicClient, redirectURI: URL?,
        verifier: Secret?,
        extra: [(name: String, value: String)] = []
    ) async throws(AuthError) -> TokenResponse {
        let proof = try await authentication.proof(of: clientID, to: url, of: server)
        var fields = [(name: "grant_type", value: "authorization_code")] + proof.fields
        fields.append(("code", code.reveal()))
        if let redirectURI { fields.append(("redirect_uri", redirectURI.absoluteString)) }
        if let verifier { fields.append(("code_verifier", verifier.reveal())) }
        return try await post(fields + extra, headers: proof.headers, hiding: proof.secrets).tokens()
    }

    /// Sends a token request.
    ///
    /// - Throws: `AuthError` with code `rateLimited`, `server` or `invalidResponse`, the dialect's error for an OAuth
    ///   error, or the transport's error; `misconfigured`, without a request, if others could read it on the way (RFC
    ///   6749 section 3.2).
    public func send(
        _ fields: [(name: String, value: String)], headers: [HeaderName: String] = [:]
    ) async throws(AuthError) -> TokenResponse {
        try await post(fields, headers: headers, hiding: []).tokens()
    }

    /// Sends a form.
    ///
    /// - Parameters:
    ///   - secrets: Those in the header fields, which the server's description of an error may quote.
    ///   - check: Called before the request is sent once more, because the server demands a nonce. Its error ends the request.
    func post(
        _ fields: [(name: String, value: String)], headers: [HeaderName: String], hiding secrets: [Secret],
        beforeRepeating check: () throws(AuthError) -> Void = {}
    ) async throws(AuthError) -> Answer {
        try url.requireSafety(of: "Codes and tokens", "Correct the endpoint's URL.")
        let request = AuthHTTPRequest(
            .post, url,
            headers: headers.merging([.contentType: FormCoding.contentType, .accept: "application/json"]) { $1 },
            body: Data(FormCoding.encode(fields).utf8))
        let response: AuthHTTPResponse
        if let (dpop, key) = binding {
            response = try await dpop.send(request, proving: key, over: transport, beforeRepeating: check)
        } else {
            response = try await transport.send(request)
            onResponse(response, url)
        }
        let sent = fields.filter { !Self.publicFields.contains($0.name) }.map { Secret($0.value) }
        return Answer(response, from: self, hiding: sent + secrets)
    }

    private static let publicFields: Set = [
        "grant_type", "client_id", "redirect_uri", "scope", "audience", "ios_bundle_id", "response_type",
        "code_challenge_method", "prompt", "max_age", "acr_values", "ui_locales", "dpop_jkt",
    ]
}

/// A token endpoint's success answer (RFC 6749 section 5.1), read leniently where providers differ.
public struct TokenResponse: Sendable {
    /// The access token.
    public let accessToken: Secret
    /// `nil` if the server returned none: the previous one stays in use.
    public let refreshToken: Secret?
    /// The ID token, not validated yet.
    public let idToken: Secret?
    /// How long the access token is valid, from zero to 365 days; `nil` if the server did not say.
    ///
    /// On the wire it is a number of seconds or its decimal text. Zero or less means that the token is expired, and more than
    /// 365 days is 365 days. Any other value counts as not said: the token is used until a server refuses it.
    public let expiresIn: Duration?
    /// The granted scopes; `nil` means those that were requested.
    public let scopes: [String]?
    /// The members of the answer, without its three tokens.
    public let members: [String: AuthJSON]
    /// When the server answered, by its own clock; `nil` if the answer has no date.
    public let date: Date?
    /// The thumbprint of the key that the tokens are bound to; `nil` for bearer tokens.
    let keyThumbprint: String?

    /// - Parameters:
    ///   - members: All members of the answer.
    ///   - date: When the server answered.
    ///   - thumbprint: That of the key that the request proved; `nil` if it proved none.
    /// - Throws: `invalidResponse` without a usable token of a known type, or if a token is not printable ASCII (RFC 6749 appendices
    ///   A.12 and A.17).
    package init(members: [String: AuthJSON], date: Date?, boundTo thumbprint: String? = nil) throws(AuthError) {
        self.date = date
        guard let accessToken = try members["access_token"].token(named: "access_token") else {
            throw AuthError(.invalidResponse, "The token endpoint's answer has no access token.")
        }
        // Required (RFC 6749 section 5.1), but some servers leave it out.
        let type = (members["token_type"] ?? .null) == .null ? "bearer" : members["token_type"]?.string?.lowercased()
        keyThumbprint = type == "dpop" ? thumbprint : nil
        guard type == "bearer" || keyThumbprint != nil else {
            throw AuthError(
                .invalidResponse,
                """
                The token endpoint gave a token that is not a bearer token (token_type). Ask the issuer for one, or set \
                `usesDPoP` if its tokens are bound by DPoP.
                """)
        }
        self.accessToken = accessToken
        self.members = members.filter { !["access_token", "refresh_token", "id_token"].contains($0.key) }
        refreshToken = try members["refresh_token"].token(named: "refresh_token")
        idToken = try members["id_token"].token(named: "id_token")
        expiresIn = members["expires_in"]?.lifetime
        scopes = members["scope"]?.string.map { $0.split(separator: " ").map(String.init) }
    }
}

extension TokenResponse: DescriptionOnly {
    /// The names of the members; never their values, which hold tokens.
    public var description: String { "token answer with \(members.keys.sorted().joined(separator: ", "))" }
}
