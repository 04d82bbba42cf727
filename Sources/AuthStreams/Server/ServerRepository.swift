public import Foundation

/// A repository for an app's own server with a small JSON contract; see <doc:YourServer>.
///
/// ```swift
/// let repository = ServerRepository(at: api, transport: URLSessionTransport())  // https://api.example.com/v1
/// ```
///
/// In a service that is made for a platform it is `.server(_:)`.
///
/// The provider's tokens and codes are sent only to the server; only the server's own tokens become the session.
///
/// | question | answer |
/// | --- | --- |
/// | how many requests? | one for each method, two for a sign-out whose access token is refused, and for an answer without the user that it needs; no redirect is followed |
/// | what ends a session? | `userNotFound`, `userDisabled`, `sessionExpired`: the server's own problem details, with 4xx, or the contract's envelope |
/// | may a refresh token be sent again? | by ``ServerContract/refreshTokenRule``: once after a lost answer, unless it is `reusable` |
/// | no refresh token in the answer to a sign-in? | the session lasts as long as its access token |
/// | no refresh token in the answer to a refresh or a change? | the old one stays valid |
/// | no tokens in the answer to a change? | the session keeps its own |
/// | no lifetime? | the token's own, `exp` − `iat`; otherwise it counts as valid until the server refuses it |
/// | a lifetime that cannot be read? | the token's own; otherwise five minutes, if a refresh token can replace it |
/// | the access token is refused? | the call ends with `invalidCredential` and ends no session: refresh, then repeat |
/// | the server has no such endpoint? | `unsupportedProvider`, before any request |
public struct ServerRepository: AuthRepository {
    let channel: ServerChannel
    var contract: ServerContract { channel.contract }
    private let providers: Set<ProviderID>?
    private let clock: AuthClock

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server's paths, by https or on this machine. A trailing slash makes no difference. If
    ///     it has a query, each request has it, before the query of its path.
    ///   - contract: The server's paths and names.
    ///   - providers: The providers whose credentials the server takes; `nil` for all. For passwords, codes and links in mails
    ///     the contract alone decides.
    ///   - headers: Header fields for every request, such as an attestation of the app. Called before each request, so
    ///     a token in them may be short-lived. They replace no header of the contract; cookies follow those of the
    ///     contract in one `Cookie`. If the closure throws, the request ends before anything is sent.
    ///   - members: Further members of the body of a `POST`, `PUT` or `PATCH`, by their paths, such as a device's
    ///     identifier and push token. Called with the endpoint before each such request; return an empty dictionary for
    ///     an endpoint that needs none. They replace no member of the contract. If the closure throws, the request ends
    ///     before anything is sent.
    ///   - closureTimeLimit: How long each of the two closures may take; past it the request ends with `timedOut` before
    ///     it is sent.
    ///   - transport: Sends the requests.
    ///   - clock: Computes when an access token expires.
    public init(
        at base: URL, contract: ServerContract = ServerContract(), accepting providers: Set<ProviderID>? = nil,
        headers: (@Sendable () async throws -> [HeaderName: String])? = nil,
        members: (@Sendable (ServerContract.Endpoint) async throws -> [String: AuthJSON])? = nil,
        closureTimeLimit: Duration = .seconds(15), transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        self.providers = providers
        let appHeaders = headers.map { ClosureCall("headers", limit: closureTimeLimit, clock: clock, source: $0) }
        var appMembers: (@Sendable (ServerContract.Endpoint) -> ClosureCall<[String: AuthJSON]>)?
        if let members {
            appMembers = { endpoint in
                ClosureCall("members", limit: closureTimeLimit, clock: clock) { try await members(endpoint) }
            }
        }
        channel = ServerChannel(
            base: base, contract: contract, headers: appHeaders, members: appMembers, transport: transport)
        self.clock = clock
    }

    /// Returns whether the server takes this provider's credentials: those of passwords, codes, links in mails and passkeys if the
    /// contract has an endpoint for them.
    public func accepts(_ provider: ProviderID) -> Bool {
        switch provider {
        case .password: contract.passwordSignIn != nil
        case .code: contract.code != nil
        case .emailLink: contract.emailLink != nil
        case .passkey: contract.passkeySignIn != nil
        default: providers?.contains(provider) ?? true
        }
    }

    /// The contract's rule for refresh tokens.
    public var refreshTokenRule: RefreshTokenRule { contract.refreshTokenRule }

    /// Creates a session from a credential.
    ///
    /// - Throws: ``AuthError``; `invalidCredential` before any request if the credential has no token and no code.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            try checkRoute(for: credential.provider)
            let endpoint = try contract.signInEndpoint(of: credential.provider)
            return try await begin(
                .signIn, at: endpoint, contract.body(for: credential, to: endpoint), from: credential.provider)
        } catch {
            throw error.asked(by: .signIn, of: credential.provider).located(
                provider: credential.provider, step: .establishingSession
            )
            .attaching(credential)
        }
    }

    /// Creates a session for a new user without an identity.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.signInAnonymously, "signInAnonymously")
            return try await begin(.anonymousSignIn, at: endpoint, nil, from: .anonymous)
        } catch {
            throw error.asked(by: .signIn, of: .anonymous).located(provider: .anonymous, step: .establishingSession)
        }
    }

    /// Gets the next access token, in one request.
    ///
    /// - Returns: The session with the answer's tokens. What the answer does not mention, of the user too, stays as it was.
    /// - Throws: ``AuthError``; `sessionExpired` before any request if there is no refresh token, `invalidResponse` if
    ///   the answer is another user's, which is discarded.
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            guard let refreshToken = session.refreshToken?.present else {
                throw AuthError(
                    .sessionExpired, "The session has no refresh token, so it ends with its access token.")
            }
            let answer = try await refreshed(by: refreshToken, session.accessToken, of: session.user)
            guard answer.user?.id ?? session.user.id == session.user.id else {
                throw AuthError(.invalidResponse, "The refresh answered with another user's session; it is not kept.")
            }
            var next = try self.session(
                of: answer, answer.user ?? session.user, from: session.provider, refreshToken)
            next.isNewUser = false
            return next
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}

extension ServerRepository {
    /// Creates a session from another SDK's refresh token, by a refresh. The answer names the user, otherwise `adoptable`
    /// does, otherwise ``ServerContract/reload`` is called.
    ///
    /// ``AuthSession/provider`` is the answer's `provider`, otherwise that of `adoptable`, otherwise the user's first linked
    /// one, otherwise `anonymous` for an anonymous user, otherwise `unknown`: the old refresh token may be used up, so
    /// a missing provider does not discard the session.
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one if it has none.
    /// - Throws: ``AuthError``: `invalidCredential` before any request for an empty token, `invalidResponse` if no
    ///   user is named, otherwise as ``refresh(_:)`` does.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let refreshToken = adoptable.refreshToken
        guard !refreshToken.isEmpty else {
            throw AuthError(.invalidCredential, "The refresh token is empty, so there is no session behind it.")
        }
        let answer = try await refreshed(by: refreshToken, nil, of: adoptable.user)
        let user = try await user(of: answer, orElse: adoptable.user)
        let named = answer.provider ?? adoptable.provider ?? user.providers.first?.id
        let provider = named ?? (user.isAnonymous ? .anonymous : "unknown")
        var session = try session(of: answer, user, from: provider, refreshToken)
        session.isNewUser = false
        return session
    }
}

extension ServerRepository {
    /// - Throws: `unsupportedProvider` for a provider whose credentials the server does not take.
    func checkRoute(for provider: ProviderID) throws(AuthError) {
        guard accepts(provider) else {
            throw AuthError(
                .unsupportedProvider,
                "The server repository takes no credentials of \(provider). Add it to those accepted.")
        }
    }

    /// Begins a session by a request.
    func begin(
        _ operation: ServerErrorResponse.Operation, at endpoint: ServerContract.Endpoint, _ body: [String: AuthJSON]?,
        from provider: ProviderID
    ) async throws(AuthError) -> AuthSession {
        try await begun(
            by: try await channel.send(to: endpoint, of: provider, body: body), operation, from: provider)
    }

    /// Returns the session that an answer begins.
    func begun(
        by exchange: ServerExchange, _ operation: ServerErrorResponse.Operation, from provider: ProviderID
    ) async throws(AuthError) -> AuthSession {
        try contract.requireSuccess(of: exchange, to: operation)
        let answer = try ServerResponse(exchange, by: contract)
        // A session that could not be refreshed would end with its access token.
        if let token = answer.tokens?.refresh {
            _ = try contract.tokens(refreshing: token, nil, at: channel.url(of: contract.refresh))
        }
        return try session(of: answer, try await user(of: answer, orElse: nil), from: provider, nil)
    }

    /// Sends a refresh token, and the access token if the server wants both.
    func refreshed(
        by refreshToken: Secret, _ accessToken: Secret?, of user: AuthUser?
    ) async throws(AuthError) -> ServerResponse {
        let tokens = try contract.tokens(
            refreshing: refreshToken, accessToken, at: channel.url(of: contract.refresh))
        let body = tokens.members.isEmpty ? nil : tokens.members
        let exchange = try await channel.send(to: contract.refresh, body: body, headers: tokens.headers)
        try contract.requireSuccess(of: exchange, to: .refresh)
        return try ServerResponse(exchange, to: .refresh, by: contract, of: user)
    }

    /// - Parameter refreshToken: The previous one, which is kept if the answer has none.
    func session(
        of answer: ServerResponse, _ user: AuthUser, from provider: ProviderID, _ refreshToken: Secret?
    ) throws(AuthError) -> AuthSession {
        guard let tokens = answer.tokens else { throw contract.missing(contract.session.accessToken) }
        let refreshToken = tokens.refresh ?? refreshToken
        return AuthSession(
            accessToken: tokens.access, refreshToken: refreshToken,
            expiresAt: clock.expiry(after: tokens.lifetime(isReplaceable: refreshToken != nil, at: clock.date)),
            user: user, provider: provider, isNewUser: answer.isNewUser, issuedAt: tokens.issuedAt)
    }
}

extension ServerContract {
    /// - Throws: `unsupportedProvider` if there is none.
    static func endpoint(_ endpoint: Endpoint?, _ name: String) throws(AuthError) -> Endpoint {
        guard let endpoint else {
            throw AuthError(
                .unsupportedProvider, "The server has no such endpoint: the contract's `\(name)` is nil. Name it there."
            )
        }
        return endpoint
    }
}

extension AuthError {
    /// Returns the same error; for a conflict of accounts with the attempt's credential, as far as it can be used
    /// again.
    func attaching(_ credential: Credential) -> Self {
        guard conflict != nil else { return self }
        var copy = self
        copy.conflict?.credential = credential.reusable
        return copy
    }
}

extension Credential {
    /// The credential without the codes, which work once; `nil` if no proof is left.
    fileprivate var reusable: Credential? {
        var copy = self
        (copy.authorizationCode, copy.serverAuthCode) = (nil, nil)
        return [copy.idToken, copy.accessToken].contains { $0?.present != nil } ? copy : nil
    }
}
