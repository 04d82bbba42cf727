public import Foundation

/// A signed-in session: the server's tokens, when they expire, and whose they are.
///
/// States and events never carry a session; it stays between the repository, the manager and the store.
public struct Session: Hashable, Sendable {
    /// The token that authorizes requests to the server (Firebase: the ID token).
    public var accessToken: Secret
    /// The token that gets the next access token. `nil` when the server gave none.
    public var refreshToken: Secret?
    /// When the access token stops working, by the device's clock. `nil` when the server did not say.
    public var expiresAt: Date?
    /// When the server issued the access token, by the server's own clock: the `Date` of its answer (RFC 9110 section
    /// 6.6.1). `nil` when it did not say. It tells how wrong the device's clock is.
    public var issuedAt: Date?
    /// Who is signed in.
    public var user: AuthUser
    /// The provider that was used to sign in.
    public var provider: ProviderID
    /// Whether the server made this user just now.
    public var isNewUser: Bool

    /// Makes a session.
    public init(
        accessToken: Secret, refreshToken: Secret?, expiresAt: Date?, user: AuthUser, provider: ProviderID,
        isNewUser: Bool = false, issuedAt: Date? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.user = user
        self.provider = provider
        self.isNewUser = isNewUser
        self.issuedAt = issuedAt
    }

    /// Whether the access token is no longer good at that moment.
    ///
    /// - Parameters:
    ///   - date: The moment, usually now.
    ///   - leeway: Seconds ahead of expiry from which the token counts as expired.
    /// - Returns: `false` when the server named no expiry.
    public func isExpired(at date: Date, leeway: TimeInterval = 0) -> Bool {
        guard let expiresAt else { return false }
        return date.addingTimeInterval(leeway) >= expiresAt
    }
}
