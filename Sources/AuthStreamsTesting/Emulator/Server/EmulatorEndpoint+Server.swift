extension EmulatorEndpoint {
    /// Where the app's own server signs in with a provider's credential.
    public static let serverSignIn: Self = "api.pulseboard.example/auth/sign-in"
    /// Where it refreshes a session.
    public static let serverRefresh: Self = "api.pulseboard.example/auth/refresh"
    /// Where it ends a session.
    public static let serverSignOut: Self = "api.pulseboard.example/auth/sign-out"
    /// Where it deletes an account.
    public static let serverAccount: Self = "api.pulseboard.example/auth/account"
}
