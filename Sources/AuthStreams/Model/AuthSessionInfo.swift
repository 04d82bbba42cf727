public import Foundation

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
    public let authenticatedAt: Date?

    /// Makes a value, such as for a preview of a view.
    public init(
        user: AuthUser, provider: ProviderID, expiresAt: Date? = nil, scopes: [String]? = nil, idToken: Secret? = nil,
        authenticatedAt: Date? = nil
    ) {
        self.user = user
        self.provider = provider
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.idToken = idToken
        self.authenticatedAt = authenticatedAt
    }

    init(_ session: AuthSession) {
        self.init(
            user: session.user, provider: session.provider, expiresAt: session.expiresAt,
            scopes: session.openID?.scopes, idToken: session.openID?.idToken,
            authenticatedAt: session.openID?.authenticatedAt)
    }
}
