public import AuthStreams

extension AuthService {
    /// Shows the log-out page of the issuer whose tokens are the session, when iterated, so that the next sign-in asks the
    /// person again.
    ///
    /// ```swift
    /// try await auth.signOut()
    /// try await auth.endIssuerSession(redirect: .redirect(goodbye)).value
    /// ```
    ///
    /// See ``OpenIDRepository/endSession(redirect:userAgent:logoutHint:presentation:)``.
    ///
    /// - Parameters:
    ///   - redirect: How the page returns; it must be registered as a post-logout redirect URI.
    ///   - logoutHint: Whose session is to end, in the issuer's own form, such as an email address.
    ///   - presentation: Where to present.
    /// - Returns: A stream of one value. Its errors: `unsupportedProvider` if the service's server is not an
    ///   ``OpenIDRepository``, or the issuer has no such page; those of showing the page.
    public func endIssuerSession(
        redirect: AuthorizationPage.Redirect, logoutHint: String? = nil, presentation: PresentationContext = .automatic
    ) -> AuthStream<Void> {
        guard let issuer = repository as? OpenIDRepository else {
            return .failure(
                AuthError(
                    .unsupportedProvider,
                    "The session is not of an OpenID Connect issuer, which alone has a page to log out at."
                ).during(.signOut))
        }
        return issuer.endSession(redirect: redirect, logoutHint: logoutHint, presentation: presentation)
            .mapError { $0.during(.signOut) }
    }
}
