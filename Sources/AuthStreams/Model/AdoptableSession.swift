import Foundation

/// A session that another SDK stored on this device, such as that of an earlier version of the app.
public struct AdoptableSession: Hashable, Sendable {
    /// The refresh token.
    public var refreshToken: Secret
    /// The session's user, if the other SDK knew it. The user is then signed in at once, also without a network.
    ///
    /// `OpenIDRepository`, of AuthStreamsOAuth, requires a user whose claim `iss` names the issuer that the token is sent to.
    public var user: AuthUser?
    /// The provider of the sign-in, if the other SDK knew it.
    public var provider: ProviderID?

    /// Makes a session from another SDK's refresh token.
    public init(refreshToken: Secret, user: AuthUser? = nil, provider: ProviderID? = nil) {
        self.refreshToken = refreshToken
        self.user = user
        self.provider = provider
    }
}
