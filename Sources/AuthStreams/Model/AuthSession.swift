public import Foundation

/// A signed-in session: the server's tokens, their expiry and the user.
///
/// States and events never contain a session; only the repository, the manager and the store handle it.
public struct AuthSession: Hashable, Sendable {
    /// The token that authorizes requests to the server (Firebase: the ID token).
    public var accessToken: Secret
    /// The token that gets the next access token; `nil` if the server returned none.
    public var refreshToken: Secret?
    /// When the access token expires, by the device's clock; `nil` if the server did not say.
    public var expiresAt: Date?
    /// When the server issued the access token, by the server's clock: the `Date` of its response (RFC 9110 section
    /// 6.6.1); `nil` if the response had none. It shows how far the device's clock is off.
    public var issuedAt: Date?
    /// The signed-in user.
    public var user: AuthUser
    /// The provider that was used to sign in.
    public var provider: ProviderID
    /// Whether the server created this user with this sign-in.
    public var isNewUser: Bool
    /// What the issuer vouches for, if its own tokens are the session; otherwise `nil`.
    public var openID: OpenID?
    /// The thumbprint of the key that the tokens are bound to: SHA-256 in Base64URL (RFC 7638, RFC 9449 section 6.1); `nil` for
    /// bearer tokens. Each use of a bound token is proven with the key.
    package var keyThumbprint: String?

    /// Makes a session.
    @inline(never)  // Not repeated in each of its callers.
    public init(
        accessToken: Secret, refreshToken: Secret?, expiresAt: Date?, user: AuthUser, provider: ProviderID,
        isNewUser: Bool = false, issuedAt: Date? = nil, openID: OpenID? = nil
    ) {
        self.init(
            accessToken: accessToken, refreshToken: refreshToken, expiresAt: expiresAt, user: user, provider: provider,
            isNewUser: isNewUser, issuedAt: issuedAt, openID: openID, keyThumbprint: nil)
    }

    /// Makes a session whose tokens may be bound to a key.
    package init(
        accessToken: Secret, refreshToken: Secret?, expiresAt: Date?, user: AuthUser, provider: ProviderID,
        isNewUser: Bool = false, issuedAt: Date? = nil, openID: OpenID? = nil, keyThumbprint: String?
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.user = user
        self.provider = provider
        self.isNewUser = isNewUser
        self.issuedAt = issuedAt
        self.openID = openID
        self.keyThumbprint = keyThumbprint
    }

    /// The sign-in at an OpenID Connect issuer whose tokens are the session.
    public struct OpenID: Hashable, Sendable {
        /// The ID token of the sign-in, which later ones are compared with (OpenID Connect Core section 12.2) and which the
        /// issuer's log-out page recognizes the session by.
        public var idToken: Secret
        /// The granted scopes; `nil` if they are not known.
        public var scopes: [String]?

        /// Makes the record of a sign-in.
        public init(idToken: Secret, scopes: [String]? = nil) {
            self.idToken = idToken
            self.scopes = scopes
        }

        /// The person's identifier at the issuer: the claim `sub`.
        public var subject: String? { claims?["sub"]?.string }
        /// When the person logged in at the issuer: the claim `auth_time`; `nil` if the issuer did not say.
        public var authenticatedAt: Date? {
            claims?["auth_time"]?.lenientInteger.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        }

        /// The claims of the ID token, which were validated at the sign-in.
        package var claims: AuthJSON? { JSONWebToken(idToken)?.claims }
    }

    /// Returns whether the access token is expired at a date.
    ///
    /// - Parameters:
    ///   - date: The date, usually now.
    ///   - leeway: Seconds ahead of expiry from which the token counts as expired.
    /// - Returns: `false` if the server named no expiry.
    package func isExpired(at date: Date, leeway: TimeInterval = 0) -> Bool {
        guard let expiresAt else { return false }
        return date.addingTimeInterval(leeway) >= expiresAt
    }
}

/// The session of the user who is signed in, without its access token and refresh token.
///
/// ```swift
/// if let session = auth.session, session.scopes?.contains("calendar") == false { askForTheCalendar() }
/// ```
///
/// ``AuthService/session`` returns it. For a token, call ``AuthService/accessToken(forceRefresh:)``.
public struct AuthSessionInfo: Equatable, Sendable {
    /// The signed-in user.
    public let user: AuthUser
    /// The provider that was used to sign in.
    public let provider: ProviderID
    /// When the access token expires, by the device's clock; `nil` if the server did not say.
    ///
    /// It is not the end of the session: a refresh replaces the token.
    public let expiresAt: Date?
    /// The scopes that the issuer granted (RFC 6749 section 5.1), if its own tokens are the session; `nil` otherwise, or if they
    /// are not known. A refresh may narrow them.
    public let scopes: [String]?
    /// The ID token of the sign-in, if the tokens of an OpenID Connect issuer are the session; otherwise `nil`.
    ///
    /// It tells the app who signed in. Do not send it with requests: a server may take it as proof of the person. A refresh does
    /// not renew it.
    public let idToken: Secret?
    /// When the person logged in at the issuer: the ID token's claim `auth_time` (OpenID Connect Core section 2); `nil` if there
    /// is no ID token, or the issuer did not say. A re-authentication that the issuer answers without a refresh token does not
    /// change it.
    public var authenticatedAt: Date? { idToken.flatMap { AuthSession.OpenID(idToken: $0).authenticatedAt } }

    /// Makes a value.
    package init(
        user: AuthUser, provider: ProviderID, expiresAt: Date? = nil, scopes: [String]? = nil, idToken: Secret? = nil
    ) {
        self.user = user
        self.provider = provider
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.idToken = idToken
    }

    init(_ session: AuthSession) {
        self.init(
            user: session.user, provider: session.provider, expiresAt: session.expiresAt,
            scopes: session.openID?.scopes, idToken: session.openID?.idToken)
    }
}
