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
        _ id: ProviderID, issuer: String, clientID: String, redirect: AuthorizationPage.Redirect
    ) -> Self {
        .openID(OpenIDProvider.Configuration(id, issuer: issuer, clientID: clientID, redirect: redirect))
    }

    /// Sign-in with an OpenID Connect issuer, by a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The client at the issuer.
    ///   - redeemer: Which side redeems the code. Unless given, the repository if the service's server is
    ///     `AuthRepositoryFactory.openID(_:refreshTokenRule:deletingAccountsBy:)` of the same provider, otherwise the app.
    public static func openID(
        _ configuration: OpenIDProvider.Configuration, redeemer: OpenIDProvider.Redeemer? = nil
    ) -> Self {
        Self { platform in
            let isIssuersRepository = (platform.repository as? OpenIDRepository)?.accepts(configuration.id) == true
            return OpenIDProvider(
                configuration, redeemer: redeemer ?? (isIssuersRepository ? .repository : .app),
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock)
        }
    }
}
