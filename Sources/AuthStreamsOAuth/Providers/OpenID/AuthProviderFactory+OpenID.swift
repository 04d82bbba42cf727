public import AuthStreams

extension AuthProviderFactory {
    /// Sign-in with any OpenID Connect issuer; see ``OpenIDProvider``.
    ///
    /// - Parameters:
    ///   - id: The identifier that the service and your server know it by, such as `keycloak`.
    ///   - issuer: The issuer's identifier, exactly as its metadata spell it.
    ///   - clientID: The client ID of a public client.
    ///   - redirect: How the answer returns, as it is registered at the issuer: `.redirect(_:)` in an app, `.loopback(path:)` on
    ///     the command line. With the other one attempts end with `misconfigured`.
    public static func openID(
        _ id: ProviderID, issuer: String, clientID: String, redirect: AuthorizationPage.Return
    ) -> Self {
        .openID(OpenIDProvider.Configuration(id, issuer: issuer, clientID: clientID, redirect: redirect))
    }

    /// Sign-in with an OpenID Connect issuer, by a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer.
    ///   - redeemer: Which side redeems the code; the app unless given. With
    ///     `AuthRepositoryFactory.openID(_:refreshTokenRule:deletingAccountsBy:)` it is the repository.
    public static func openID(
        _ configuration: OpenIDProvider.Configuration, redeemer: OpenIDProvider.Redeemer = .app
    ) -> Self {
        Self { platform in
            OpenIDProvider(
                configuration, redeemer: redeemer, userAgent: platform.userAgent, transport: platform.transport,
                clock: platform.clock)
        }
    }
}
