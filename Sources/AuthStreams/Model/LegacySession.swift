import Foundation

/// A session that another SDK left behind, such as that of an earlier version of the app.
public struct LegacySession: Hashable, Sendable {
    /// The refresh token.
    public var refreshToken: Secret
    /// Whose session it is, where the other SDK knew: they are then signed in at once, also without a network.
    public var user: AuthUser?
    /// The provider they signed in with, where the other SDK knew.
    public var provider: ProviderID?

    /// Names a session.
    public init(refreshToken: Secret, user: AuthUser? = nil, provider: ProviderID? = nil) {
        self.refreshToken = refreshToken
        self.user = user
        self.provider = provider
    }

    /// What stands for the session until the server has given the first access token.
    var placeholder: Session? {
        user.map { user in
            Session(
                accessToken: Secret(""), refreshToken: refreshToken, expiresAt: .distantPast, user: user,
                provider: provider ?? user.providers.first?.id ?? "unknown")
        }
    }
}
