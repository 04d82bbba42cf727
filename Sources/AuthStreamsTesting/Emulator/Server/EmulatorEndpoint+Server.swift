public import AuthStreams

extension EmulatorEndpoint {
    /// Where the app's own server signs in with a provider's credential.
    public static let serverSignIn: Self = "api.pulseboard.example/auth/sign-in"
    /// Where it refreshes a session.
    public static let serverRefresh: Self = "api.pulseboard.example/auth/refresh"
    /// Where it ends a session.
    public static let serverSignOut: Self = "api.pulseboard.example/auth/sign-out"
    /// Where it deletes an account.
    public static let serverAccount: Self = "api.pulseboard.example/auth/account"
    /// Where it ends every session of a user.
    public static let serverSignOutEverywhere: Self = "api.pulseboard.example/auth/sign-out-everywhere"
    /// Where it makes a user without an identity.
    public static let serverAnonymous: Self = "api.pulseboard.example/auth/anonymous"
    /// Where it adds an identity.
    public static let serverLinks: Self = "api.pulseboard.example/auth/links"
    /// Where it takes the identity of a provider away.
    public static func serverLink(to provider: ProviderID) -> Self {
        Self(host: "api.pulseboard.example", path: "/auth/links/\(provider)")
    }
    /// Where a person proves once more that it is them.
    public static let serverReauthenticate: Self = "api.pulseboard.example/auth/reauthenticate"
    /// Where it ends what a provider lets the app do.
    public static let serverRevokeAccess: Self = "api.pulseboard.example/auth/revoke-access"
}
