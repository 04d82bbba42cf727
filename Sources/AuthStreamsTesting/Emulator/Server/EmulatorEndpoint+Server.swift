public import AuthStreams

extension EmulatorEndpoint {
    /// The server's sign-in with a provider's credential.
    public static let serverSignIn: Self = "api.pulseboard.example/auth/sign-in"
    /// The server's refresh of a session.
    public static let serverRefresh: Self = "api.pulseboard.example/auth/refresh"
    /// The server's sign-out.
    public static let serverSignOut: Self = "api.pulseboard.example/auth/sign-out"
    /// The server's deletion of an account.
    public static let serverAccount: Self = "api.pulseboard.example/auth/account"
    /// The server's user of an access token, and the change of their profile.
    public static let serverUser: Self = "api.pulseboard.example/auth/user"
    /// The server's sign-out of all of a user's sessions.
    public static let serverSignOutEverywhere: Self = "api.pulseboard.example/auth/sign-out-everywhere"
    /// The server's creation of anonymous users.
    public static let serverAnonymous: Self = "api.pulseboard.example/auth/anonymous"
    /// The server's linking of an identity.
    public static let serverLinks: Self = "api.pulseboard.example/auth/links"
    /// The server's unlinking of a provider's identity.
    public static func serverLink(to provider: ProviderID) -> Self {
        Self(host: "api.pulseboard.example", path: "/auth/links/\(provider)")
    }
    /// The server's re-authentication.
    public static let serverReauthenticate: Self = "api.pulseboard.example/auth/reauthenticate"
    /// The server's revocation of the app's access at a provider.
    public static let serverRevokeAccess: Self = "api.pulseboard.example/auth/revoke-access"
}
