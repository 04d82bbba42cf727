public import AuthStreams

extension AuthRepositoryFactory {
    /// No server: the issuer's own tokens are the session; see ``OpenIDRepository``.
    ///
    /// ```swift
    /// let realm = OpenIDProvider.Configuration.keycloak(
    ///     realm: "app", at: server, clientID: "tool", redirect: .loopback(path: "/callback"))
    /// let auth = AuthService(.openID(realm), providers: [.openID(realm)], platform: .commandLine)
    /// ```
    ///
    /// `AuthProviderFactory.openID(_:redeemer:)` of the same provider leaves the code to it.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer, that of the provider.
    ///   - refreshTokenRule: What happens to a refresh token when it is used; `singleUse` unless given.
    ///   - deletion: Deletes the account by an API of the issuer; without it deleting throws `unsupportedProvider`.
    public static func openID(
        _ configuration: OpenIDProvider.Configuration, refreshTokenRule: RefreshTokenRule = .singleUse,
        deletingAccountsBy deletion: OpenIDRepository.AccountDeletion? = nil
    ) -> Self {
        Self { platform in
            OpenIDRepository(
                for: OpenIDProvider(
                    configuration, redeemer: .repository, userAgent: platform.userAgent,
                    transport: platform.transport, clock: platform.clock),
                refreshTokenRule: refreshTokenRule, deletingAccountsBy: deletion)
        }
    }
}
