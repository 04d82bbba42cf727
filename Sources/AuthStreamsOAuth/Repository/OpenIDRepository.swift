public import AuthStreams
import Foundation

/// A repository without a server of your own: the tokens of an OpenID Connect issuer are the session.
///
/// ```swift
/// let provider = OpenIDProvider(
///     .init(
///         "keycloak", issuer: "https://id.example.com/realms/app", clientID: "app", redirect: .redirect(callback),
///         scopes: ["email", "profile", "offline_access"]),
///     redeemer: .repository, userAgent: browser, transport: transport)
/// let auth = AuthService(
///     repository: OpenIDRepository(for: provider), providers: [provider], store: store, callbacks: callbacks)
/// ```
///
/// The provider leaves its code to the repository, which redeems it at the issuer. Your API verifies the access token, or
/// the issuer does. Many issuers give a refresh token only for the scope `offline_access`, and some of them
/// only with the prompt `consent` (OpenID Connect Core section 11): ask with `AuthRequest(prompts: [.consent])`.
///
/// | question | answer |
/// | --- | --- |
/// | who is the user? | the ID token's `sub`, with the claims of the ID token and of the user information; the claim `iss` names the issuer, and both together are the person's identity (OpenID Connect Core section 5.7) |
/// | another issuer under the same provider, such as after an update of the app? | sessions of the earlier one are over: their tokens are not sent, and the app signs out at launch with `SignOutReason.expired`. A session without the claim `iss` counts as one of another issuer |
/// | how many requests? | a sign-in two: token endpoint and user information; a refresh one, a sign-out at most one; and the metadata and keys, where they are stale |
/// | what ends a session? | `invalid_grant` in answer to a refresh: `sessionExpired`. Another definite refusal (400, 401 or 403 with the same code, or 400 or 401 without one) does so on the third refresh after the access token expired, at least ten minutes after the first; codes that blame the client, the request or the server, such as `invalid_client`, never do; `unauthorized_client` does, because some issuers say it of a dead token. The count is kept in memory, so it begins again with each launch; without `expires_in` nothing is counted |
/// | may a refresh token be sent again? | once after a lost answer, unless the rule is `reusable` |
/// | a refreshed ID token? | updates the user's claims, if it is valid and of the same sign-in (OpenID Connect Core section 12.2); one that cannot be verified changes nothing, which an event `providerWarning` reports; another person's ends the session |
/// | the issuer's keys cannot be fetched? | a sign-in and an adoption accept the ID token, because TLS authenticates the token endpoint (OpenID Connect Core 3.1.3.7, rule 6), and an event `providerWarning` reports it |
/// | tokens that are bound to a key (DPoP)? | with ``OpenIDProvider/Configuration/usesDPoP``: the token requests and the user information prove the key, and a request that the issuer refused for want of its nonce is sent once more. If the key is gone, the session is over with `SignOutReason.keyLost`, without a request |
/// | signing out? | ends the refresh token (RFC 7009), if the issuer has an endpoint for it; ``endSession(redirect:userAgent:logoutHint:presentation:)`` also ends the person's session at the issuer |
/// | the user's claims later? | by ``reload(_:)``, and by each refresh with an ID token |
/// | links, profile changes, anonymous users, sessions on other devices? | `unsupportedProvider`: OpenID Connect has nothing for them |
///
/// Rules: OpenID Connect Core sections 3.1.3, 5.3 and 12, RFC 6749 section 6, RFC 7009, RFC 9449, RP-Initiated Logout 1.0.
public struct OpenIDRepository: AuthRepository {
    /// Deletes the user's account by an API of the issuer, with the session's access token.
    public typealias AccountDeletion = @Sendable (_ accessToken: Secret) async throws -> Void

    /// What happens to a refresh token when it is used.
    public let refreshTokenRule: RefreshTokenRule
    let client: OAuthClient
    let options: OpenIDProvider.Options
    private let userAgent: any UserAgent
    private let deletion: AccountDeletion?
    /// The ID token of the session that was signed out last, for the issuer's log-out page.
    private let ended = Lock<Secret?>(nil)
    /// The refusals of the session's refresh token.
    let refusals = RepeatedRefusals()

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - provider: The provider of the issuer, made with ``OpenIDProvider/Redeemer/repository``.
    ///   - refreshTokenRule: What happens to a refresh token when it is used; `singleUse` unless given. Set `reusable` only
    ///     if the issuer accepts the same one any number of times.
    ///   - deletion: Deletes the account by an API of the issuer; without it deleting throws `unsupportedProvider`. It is not called
    ///     with a token that is bound to a key, which it could not prove.
    public init(
        for provider: OpenIDProvider, refreshTokenRule: RefreshTokenRule = .singleUse,
        deletingAccountsBy deletion: AccountDeletion? = nil
    ) {
        client = provider.client
        options = provider.options
        userAgent = provider.userAgent
        self.refreshTokenRule = refreshTokenRule
        self.deletion = deletion
    }

    /// Returns whether the credentials are those of the issuer's provider.
    public func accepts(_ provider: ProviderID) -> Bool { provider == client.id }

    /// Returns whether the session is of the configured issuer, and its tokens are bearer tokens unless
    /// ``OpenIDProvider/Configuration/usesDPoP`` is set.
    public func owns(_ session: AuthSession) -> Bool {
        isOwn(session.user, of: session.provider) && (session.keyThumbprint == nil || client.dpop != nil)
    }

    /// Redeems the credential's code at the issuer. The tokens of a ``DeviceCodeProvider`` are taken as they are.
    ///
    /// If the tokens of the answer are refused, they are ended at the issuer, as ``signOut(_:)`` does. Those of a
    /// ``DeviceCodeProvider`` are not after `network`, `server` and `rateLimited`, when the service presents them again.
    ///
    /// - Throws: `AuthError`; `misconfigured` before any request if the provider redeemed the code itself, or the tokens of a
    ///   ``DeviceCodeProvider`` are another issuer's;
    ///   `invalidCredential` if the issuer refuses the code; those of the ID-token rules and of the user information.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let redeemed = try await redeem(credential, maximumAge: credential.maximumAge ?? options.maximumAge)
            let session = try await client.revokingIfRefused(
                redeemed.answer, retry: redeemed.retry, onWarning: redeemed.grant.onWarning
            ) { () async throws(AuthError) -> AuthSession in try await self.session(of: redeemed) }
            // The log-out page must not be shown for an earlier session.
            ended.withLock { $0 = nil }
            return session
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Gets the next access token, in one request.
    ///
    /// - Throws: `AuthError`; `sessionExpired` if the issuer refuses the refresh token, or before any request if there is
    ///   none or the session is of another issuer; also if the answer is another person's, or has bearer tokens for a session
    ///   whose tokens are bound to a key. Such tokens are ended and dropped.
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        try await refresh(session, onWarning: { _ in })
    }

    /// Gets the next access token, and reports an ID token that could not be verified, dropped tokens that could not be
    /// revoked, and why tokens are not bound to a key although ``OpenIDProvider/Configuration/usesDPoP`` is set.
    ///
    /// - Throws: As ``refresh(_:)``.
    public func refresh(
        _ session: AuthSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        try await refresh(session, holding: nil, onWarning: onWarning)
    }

    package func refresh(
        _ session: AuthSession, holding lock: SessionStoreLock?, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            try requireOwn(session)
            return try await refreshed(session, holding: lock, onWarning)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Ends the session's tokens at the issuer, if it has an endpoint for that.
    ///
    /// - Throws: `AuthError`; `misconfigured` before any request if the session is of another issuer, where its tokens stay valid.
    public func signOut(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            // The log-out page does not receive the ID token of an earlier session.
            ended.withLock { $0 = nil }
            guard isOwn(session.user, of: session.provider) else {
                throw AuthError(
                    .misconfigured,
                    "The session is of another issuer than the configured one, so its tokens were not ended there.")
            }
            ended.withLock { $0 = session.openID?.idToken }
            if let token = session.refreshToken?.present {
                try await client.revoke(token)
            } else if !session.accessToken.isEmpty {
                try await client.revoke(session.accessToken, hint: "access_token")
            }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Shows the issuer's log-out page when iterated, so that the next sign-in asks the person again.
    ///
    /// Call it after the service has signed out. The page recognizes the session that this repository signed out last in this
    /// process; otherwise it asks the person. It is in the languages of the provider's options.
    ///
    /// - Parameters:
    ///   - redirect: How the page returns; it must be registered as a post-logout redirect URI.
    ///   - userAgent: Shows the page; that of the provider unless given.
    ///   - logoutHint: Whose session is to end: `logout_hint`, in the issuer's own form, such as an email address.
    ///   - presentation: Where to present.
    /// - Returns: A stream of one value. Its errors: `unsupportedProvider` if the issuer has no such page; `stateMismatch` if the
    ///   page returned without the `state` of this call; those of the metadata and of the user agent.
    public func endSession(
        redirect: AuthorizationPage.Redirect, userAgent: (any UserAgent)? = nil, logoutHint: String? = nil,
        presentation: PresentationContext = .automatic
    ) -> AuthStream<Void> {
        AuthStream {
            let hint = ended.withLock { $0 }
            try await client.endSession(
                idToken: hint, redirect: redirect, userAgent: userAgent ?? self.userAgent, presentation: presentation
            ) { page in
                page.set("logout_hint", logoutHint)
                page.set("ui_locales", words: options.locales)
            }
            ended.withLock { if $0 == hint { $0 = nil } }
        }
    }

    /// Gets the claims about the user as the issuer has them now.
    ///
    /// - Throws: `AuthError`; `sessionExpired` before any request if the session is of another issuer; `unsupportedProvider`
    ///   if the issuer has no user information; `invalidCredential` if it refuses the access token; `invalidResponse` if the
    ///   answer is about another person.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            try requireOwn(session)
            let claims = try await client.userInfo(
                session.accessToken, boundTo: session.keyThumbprint, subject: session.user.id)
            guard let claims else {
                throw AuthError(
                    .unsupportedProvider, "The issuer has no user information, so users are known by a refresh alone.")
            }
            var next = session
            next.user = updated(session.user, by: claims)
            return next
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Redeems the credential's code, and replaces the session's tokens if it is the same person's.
    ///
    /// The earlier tokens stay valid at the issuer until they expire: many issuers end all tokens of the person with one. For
    /// the same reason tokens that are refused are ended only if they are another person's.
    ///
    /// - Throws: `AuthError`; `sessionExpired` before any request if the session is of another issuer; `credentialInUse` if the
    ///   credential is another person's: of another `sub` or another `iss`; `invalidIDToken` unless the person logged in
    ///   during the last ten minutes.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        do throws(AuthError) {
            try requireOwn(session)
            let redeemed = try await redeem(credential, maximumAge: .zero)
            let proven = try await self.session(of: redeemed)
            guard proven.user.isSamePerson(as: session.user) else {
                await client.revoke(tokensOf: redeemed.answer, onWarning: redeemed.grant.onWarning)
                throw AuthError(.credentialInUse, "Another person logged in at the issuer. Sign in as the same one.")
            }
            // Many issuers give a refresh token at the first consent only: a session that can be refreshed stays so.
            guard proven.refreshToken == nil, session.refreshToken != nil else { return proven }
            var kept = session
            kept.user = proven.user
            return kept
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Creates a session from a refresh token that another SDK got for the same client.
    ///
    /// The token is sent only to the issuer that the session says. Both parts of the person's identity are in the other SDK's
    /// ID token:
    ///
    /// ```swift
    /// AdoptableSession(refreshToken: token, user: AuthUser(id: subject, claims: ["iss": .string(issuer)]))
    /// ```
    ///
    /// - Throws: `AuthError`; `misconfigured` before any request if the session has no user with the claim `iss`;
    ///   `sessionExpired` before any request if that is another issuer, or if the issuer refuses the token;
    ///   `invalidResponse` if the user information is about another person.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        try await adopt(adoptable, onWarning: { _ in })
    }

    /// Creates a session from a refresh token that another SDK got for the same client, and reports an ID token that was accepted
    /// without its signature.
    ///
    /// - Throws: As ``adopt(_:)``.
    public func adopt(
        _ adoptable: AdoptableSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        try await adopt(adoptable, holding: nil, onWarning: onWarning)
    }

    package func adopt(
        _ adoptable: AdoptableSession, holding lock: SessionStoreLock?,
        onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try await adopted(adoptable, holding: lock, onWarning)
        } catch {
            throw error.located(provider: client.id)
        }
    }

    /// Deletes the account by the closure that the repository was made with.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request if there is none; `sessionExpired` if the session is of
    ///   another issuer; `misconfigured` if its tokens are bound to a key; or the closure's error.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        guard let deletion else {
            throw AuthError(
                .unsupportedProvider,
                "OpenID Connect deletes no accounts. Give the repository a closure that calls the issuer's own API.",
                provider: session.provider)
        }
        do throws(AuthError) {
            try requireOwn(session)
            guard session.keyThumbprint == nil else {
                throw AuthError(
                    .misconfigured,
                    """
                    The access token is bound to a key, and the API for deletion would get it without a proof. Nothing was sent. \
                    Delete the account by a request of `data(for:)`, then sign out.
                    """)
            }
            try await AuthError.wrapping { try await deletion(session.accessToken) }
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}

extension OpenIDRepository: SenderConstrainedRepository {
    package func send(
        _ request: AuthHTTPRequest, proving token: Secret, boundTo thumbprint: String,
        over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        try await client.send(request, proving: token, boundTo: thumbprint, over: transport)
    }

    package func requireKey(_ thumbprint: String) async throws(AuthError) {
        _ = try await client.dpop?.keys.key(thumbprint)
    }
}

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
                    transport: platform.transport, store: platform.store, clock: platform.clock),
                refreshTokenRule: refreshTokenRule, deletingAccountsBy: deletion)
        }
    }
}

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
