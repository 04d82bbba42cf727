public import Foundation

/// An app's own server as the repository, over a small JSON contract; see <doc:YourServer>.
///
/// ```swift
/// let repository = ServerRepository(at: api, transport: URLSessionTransport())  // https://api.example.com/v1
/// ```
///
/// The provider's tokens and codes go to the server and nowhere else; only the server's own tokens become the session.
///
/// | question | answer |
/// | --- | --- |
/// | how many requests? | one for each method, two for a sign-out whose access token is over; no redirect is followed |
/// | what ends a session? | `userNotFound`, `userDisabled`, `sessionExpired`: the server's own problem details, with 4xx |
/// | may a refresh token be sent again? | what ``ServerContract/refreshTokenRule`` says: not for certain, unless told |
/// | no refresh token in the answer to a sign-in? | the session lasts as long as its access token |
/// | no refresh token in the answer to a refresh or a change? | the old one stays good |
/// | no tokens in the answer to a change? | the session goes on with its own |
/// | a lifetime that cannot be? | the token's own, `exp` − `iat`; else five minutes, if a refresh token can replace it |
/// | the access token is over? | what needs one ends with `invalidCredential` and ends no session: refresh, then repeat |
/// | the server has no such endpoint? | `unsupportedProvider`, before any request |
public struct ServerRepository: AuthRepository {
    let contract: ServerContract
    let channel: ServerChannel
    private let providers: Set<ProviderID>?
    private let clock: AuthClock

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - base: Where the server's paths begin, by https or on this machine. A slash at its end makes no difference.
    ///   - contract: The server's paths and names.
    ///   - providers: Whose credentials the server takes; `nil` for everybody's.
    ///   - headers: Header fields that go with every request, such as an attestation of the app. Asked before each, so a
    ///     token in them may be short-lived. They replace none that the contract needs; what the closure throws ends the
    ///     request before anything is sent.
    ///   - headersTimeLimit: How long that closure may take; past it the request ends with `timedOut` before it is sent.
    ///   - transport: The way to the server.
    ///   - clock: Tells when an access token expires.
    public init(
        at base: URL, contract: ServerContract = ServerContract(), accepting providers: Set<ProviderID>? = nil,
        headers: (@Sendable () async throws -> [HeaderName: String])? = nil,
        headersTimeLimit: Duration = .seconds(15), transport: any HTTPTransport, clock: AuthClock = .system
    ) {
        self.contract = contract
        self.providers = providers
        let appHeaders = headers.map { AppClosure("headers", limit: headersTimeLimit, clock: clock, source: $0) }
        channel = ServerChannel(base: base, headers: appHeaders, transport: transport)
        self.clock = clock
    }

    /// Whether the server takes this provider's credentials.
    public func accepts(_ provider: ProviderID) -> Bool { providers?.contains(provider) ?? true }

    /// What the contract says becomes of a refresh token.
    public var refreshTokenRule: RefreshTokenRule { contract.refreshTokenRule }

    /// Makes a session of a credential.
    ///
    /// - Throws: ``AuthError``; `invalidCredential` before any request when there is no token and no code in it.
    public func signIn(with credential: Credential) async throws(AuthError) -> Session {
        do throws(AuthError) {
            try checkRoute(for: credential.provider)
            return try await begin(
                .signIn, at: contract.signIn, contract.body(for: credential), from: credential.provider)
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
                .carrying(credential)
        }
    }

    /// Makes a session of a new user who has no identity yet.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request where the contract has no endpoint for it.
    public func signInAnonymously() async throws(AuthError) -> Session {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.signInAnonymously, "signInAnonymously")
            return try await begin(.anonymousSignIn, at: endpoint, nil, from: .anonymous)
        } catch {
            throw error.located(provider: .anonymous, step: .establishingSession)
        }
    }

    /// Gets the next access token, in one request.
    ///
    /// - Returns: The session with the answer's tokens; without a user in it who can be read the session keeps its own.
    /// - Throws: ``AuthError``; `sessionExpired` before any request when there is no refresh token, `invalidResponse` when
    ///   the answer is another user's, of which nothing is kept.
    public func refresh(_ session: Session) async throws(AuthError) -> Session {
        do throws(AuthError) {
            guard let refreshToken = session.refreshToken?.present else {
                throw AuthError(
                    .sessionExpired, "The session has no refresh token, so it ends with its access token.")
            }
            let answer = try await answer(to: .refresh, at: contract.refresh, contract.body(for: refreshToken))
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
    /// - Throws: `unsupportedProvider` for a provider whose credentials the server does not take.
    func checkRoute(for provider: ProviderID) throws(AuthError) {
        guard accepts(provider) else {
            throw AuthError(
                .unsupportedProvider,
                "The server repository takes no credentials of \(provider). Add it to those accepted.")
        }
    }

    private func begin(
        _ operation: ServerErrorResponse.Operation, at endpoint: ServerContract.Endpoint, _ body: JSONValue?,
        from provider: ProviderID
    ) async throws(AuthError) -> Session {
        let answer = try await answer(to: operation, at: endpoint, body)
        guard let user = answer.user else { throw .badMember(contract.session.user, "is missing") }
        return try session(of: answer, user, from: provider, nil)
    }

    /// Sends what begins a session, and reads it.
    func answer(
        to operation: ServerErrorResponse.Operation, at endpoint: ServerContract.Endpoint, _ body: JSONValue?
    ) async throws(AuthError) -> ServerResponse {
        let response = try await channel.send(to: endpoint, body: body)
        guard response.isSuccess else { throw ServerErrorResponse(response, to: operation, by: contract).error }
        return try ServerResponse(response, by: contract, needsUser: operation != .refresh)
    }

    /// - Parameter refreshToken: The one before, which stays good when the answer has none.
    func session(
        of answer: ServerResponse, _ user: AuthUser, from provider: ProviderID, _ refreshToken: Secret?
    ) throws(AuthError) -> Session {
        guard let tokens = answer.tokens else { throw .badMember(contract.session.accessToken, "is missing") }
        let refreshToken = tokens.refresh ?? refreshToken
        return Session(
            accessToken: tokens.access, refreshToken: refreshToken,
            expiresAt: clock.expiry(after: tokens.lifetime(isReplaceable: refreshToken != nil)), user: user,
            provider: provider,
            isNewUser: answer.isNewUser, issuedAt: tokens.issuedAt)
    }
}

extension ServerContract {
    /// - Throws: `unsupportedProvider` where there is none.
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
    /// The same error; for a conflict of accounts with what the attempt brought, as far as it can still be used.
    func carrying(_ credential: Credential) -> Self {
        guard conflict != nil else { return self }
        var copy = self
        copy.conflict?.credential = credential.reusable
        return copy
    }
}

extension Credential {
    /// What is left of it once a server has looked at it: not the codes, which work once; `nil` when nothing proves anything
    /// any more.
    fileprivate var reusable: Credential? {
        var copy = self
        (copy.authorizationCode, copy.serverAuthCode) = (nil, nil)
        return [copy.idToken, copy.accessToken].contains { $0?.present != nil } ? copy : nil
    }
}
