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
/// | how many requests? | one for each method; none is retried, no redirect is followed |
/// | what ends a session? | `userNotFound`, `userDisabled`, `sessionExpired`: the server's own problem details, with 4xx |
/// | may a refresh token be sent again? | not for certain: a server that rotates them takes a second use for a theft |
/// | no refresh token in the answer to a sign-in? | the session lasts as long as its access token |
/// | no refresh token in the answer to a refresh? | the old one stays good |
public struct ServerRepository: AuthRepository {
    let contract: ServerContract
    private let providers: Set<ProviderID>?
    private let channel: ServerChannel
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

    /// Makes a session of a credential.
    ///
    /// - Throws: ``AuthError``; `invalidCredential` before any request when there is no token and no code in it.
    public func signIn(with credential: Credential) async throws(AuthError) -> Session {
        do throws(AuthError) {
            guard accepts(credential.provider) else {
                throw AuthError(
                    .unsupportedProvider,
                    "The server repository takes no credentials of \(credential.provider). Add it to those accepted.")
            }
            let answer = try await answer(to: .signIn, at: contract.signIn, contract.body(for: credential))
            guard let user = answer.user else { throw .badMember(contract.session.user, "is missing") }
            return session(of: answer, user, from: credential.provider)
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Gets the next access token, in one request.
    ///
    /// - Returns: The session with the answer's tokens; without a user in it the session keeps its own.
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
            var next = self.session(of: answer, answer.user ?? session.user, from: session.provider)
            next.refreshToken = next.refreshToken ?? refreshToken
            next.isNewUser = false
            return next
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Tells the server that the session is over, unless the contract has no endpoint for it.
    ///
    /// 401, 404 and 410 count as done where they are problem details: then the session was over already.
    public func signOut(_ session: Session) async throws(AuthError) {
        guard let endpoint = contract.signOut else { return }
        do throws(AuthError) {
            let response = try await channel.send(
                to: endpoint, body: contract.body(for: session.refreshToken), accessToken: session.accessToken)
            // That there is nothing to end says the server, and not a page or a path that is not there.
            let isOver = [401, 404, 410].contains(response.status) && ProblemDetails(response) != nil
            guard response.isDone || isOver else {
                throw ServerRefusal(response, to: .signOut, by: contract).error
            }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Deletes the account at the server.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` when the server says so, `invalidCredential` when the access token
    ///   is over, which ends no session: refresh, then repeat.
    public func deleteAccount(_ session: Session) async throws(AuthError) {
        do throws(AuthError) {
            let response = try await channel.send(to: contract.deleteAccount, accessToken: session.accessToken)
            guard response.isDone else { throw ServerRefusal(response, to: .deletion, by: contract).error }
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}

extension ServerRepository {
    /// Sends what begins a session, and reads it.
    func answer(
        to operation: ServerRefusal.Operation, at endpoint: ServerContract.Endpoint, _ body: JSONValue
    ) async throws(AuthError) -> ServerAnswer {
        let response = try await channel.send(to: endpoint, body: body)
        guard response.isSuccess else { throw ServerRefusal(response, to: operation, by: contract).error }
        return try ServerAnswer(response, by: contract)
    }

    func session(of answer: ServerAnswer, _ user: AuthUser, from provider: ProviderID) -> Session {
        Session(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken,
            expiresAt: clock.expiry(after: answer.lifetime), user: user, provider: provider,
            isNewUser: answer.isNewUser)
    }
}

extension HTTPResponse {
    /// Whether the server did what has no answer but the status.
    fileprivate var isDone: Bool { isSuccess && !isPage }
}
