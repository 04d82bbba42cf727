/// An access token, and which session it is of.
struct Bearer: Equatable, Sendable {
    let token: Secret
    /// Stays the same when the session is refreshed, and is another one for the next sign-in.
    let session: SessionID
    /// The thumbprint of the key that the token is bound to; `nil` for a bearer token.
    var keyThumbprint: String?

    /// Whether it is another token of the same session. It prevents sending one user's request with another's token.
    func follows(_ refused: Bearer) -> Bool { session == refused.session && token != refused.token }
}

/// A repository whose tokens may be bound to a key, so that each use of one is proven (sender-constrained, RFC 9449).
///
/// A server refuses a request without its nonce, and has done nothing with it. So each method may send its request once more.
package protocol SenderConstrainedRepository: AuthRepository {
    /// Refreshes, as ``AuthRepository/refresh(_:onWarning:)`` does.
    ///
    /// - Parameter lock: The refresh lock, which must still be held before the token is sent once more; `nil` if there is none.
    func refresh(
        _ session: AuthSession, holding lock: SessionStoreLock?, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession

    /// Adopts, as ``AuthRepository/adopt(_:onWarning:)`` does.
    ///
    /// - Parameter lock: The refresh lock, which must still be held before the token is sent once more; `nil` if there is none.
    func adopt(
        _ adoptable: AdoptableSession, holding lock: SessionStoreLock?,
        onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession

    /// Sends a request with a bound access token and its proof.
    ///
    /// - Parameters:
    ///   - request: The request without the token.
    ///   - token: The token, which is added with the scheme `DPoP` (RFC 9449 section 7.1).
    ///   - thumbprint: The thumbprint of the key that it is bound to.
    ///   - transport: Sends the request.
    /// - Throws: `sessionExpired` that ends the session with ``SignOutReason/keyLost`` if the key is gone; `storageLocked` or
    ///   `storage` if it cannot be read; the transport's error.
    func send(
        _ request: AuthHTTPRequest, proving token: Secret, boundTo thumbprint: String,
        over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse

    /// Checks that a key is there.
    ///
    /// - Throws: As ``send(_:proving:boundTo:over:)``.
    func requireKey(_ thumbprint: String) async throws(AuthError)
}

/// Where an ``AuthorizedClient`` gets its tokens.
protocol BearerSource: Sendable {
    /// A token that is valid now.
    ///
    /// - Throws: `notSignedIn` when no user is signed in, and what a refresh throws.
    func bearer() async throws(AuthError) -> Bearer

    /// The token of the same session that takes the place of one that a server refused: by a refresh, unless another caller
    /// brought one about meanwhile.
    ///
    /// - Returns: `nil` when the session is not the present one any more, or has no refresh token.
    /// - Throws: What a refresh throws.
    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer?

    /// Sends a request with the token, and with its proof where it is bound to a key.
    func send(
        _ request: AuthHTTPRequest, with bearer: Bearer, over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse

    /// Time, for events.
    var clock: AuthClock { get }

    /// Reports an event.
    func publish(_ event: AuthEvent)
}

extension BearerSource {
    func send(
        _ request: AuthHTTPRequest, with bearer: Bearer, over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        try await transport.send(request.authorized(with: bearer.token))
    }
}

extension RefreshSession: BearerSource {
    func send(
        _ request: AuthHTTPRequest, with bearer: Bearer, over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        guard let thumbprint = bearer.keyThumbprint else {
            return try await transport.send(request.authorized(with: bearer.token))
        }
        guard let repository = repository as? any SenderConstrainedRepository else { throw .unprovenToken }
        do throws(AuthError) {
            return try await repository.send(
                request, proving: bearer.token, boundTo: thumbprint, over: transport)
        } catch {
            throw await ending(bearer.session, boundTo: thumbprint, because: error)
        }
    }

    /// Checks the key of the session that was found at the launch. Only a lost key has a consequence.
    func checkKey() async {
        guard let repository = repository as? any SenderConstrainedRepository,
            let (id, thumbprint) = manager.read({ $0.active.map { ($0.stage.id, $0.session?.keyThumbprint) } }),
            let thumbprint
        else { return }
        do throws(AuthError) { try await repository.requireKey(thumbprint) } catch {
            _ = await ending(id, boundTo: thumbprint, because: error)
        }
    }

    /// Ends a session whose key is lost, here alone: its tokens are of no use without the key.
    ///
    /// - Returns: What callers learn.
    private func ending(
        _ id: SessionID, boundTo thumbprint: String, because error: AuthError
    ) async -> AuthError {
        guard error.classification.sessionEnd == .keyLost else { return error }
        // Another process that lost the key, too, may have signed in with a new one.
        _ = try? await manager.synchronize(toReplaceTokens: false)
        guard let request = manager.read({ $0.request() }), request.kept.id == id,
            request.kept.session?.keyThumbprint == thumbprint
        else { return .superseded }
        return await manager.refused(request, .keyLost, because: error)
    }

    func bearer() async throws(AuthError) -> Bearer {
        let user = try await currentSession()?.user.id
        while true {
            let token = try await accessToken()
            // A request that began for one user is not sent for the next.
            guard manager.user?.id == user else { throw .superseded }
            // Where it was replaced between the two looks, the next one is asked for.
            if let bearer = manager.bearer(with: token) { return bearer }
        }
    }

    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer? {
        while manager.isPresent(refused.session) {
            let token: Secret
            do throws(AuthError) { token = try await accessToken(replacing: refused.token) } catch {
                // Without a refresh token there is no other one, which ends nothing.
                let isTheOnlyOne = error.code == .sessionExpired && manager.isPresent(refused.session)
                guard error.code == .superseded || isTheOnlyOne else { throw error }
                return nil
            }
            guard let bearer = manager.bearer(with: token) else { continue }
            return bearer.session == refused.session ? bearer : nil
        }
        return nil
    }

    var clock: AuthClock { manager.clock }

    func publish(_ event: AuthEvent) { manager.emit(event) }
}

extension SessionManager {
    /// The token with the session it belongs to, in one look; `nil` when it is not the present one.
    fileprivate func bearer(with token: Secret) -> Bearer? {
        read { machine in
            guard let active = machine.active, active.session?.accessToken == token else { return nil }
            return Bearer(token: token, session: active.stage.id, keyThumbprint: active.session?.keyThumbprint)
        }
    }
}

extension AuthHTTPRequest {
    /// The request with a token (RFC 6750 section 2.1, RFC 9449 section 7.1).
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - scheme: The authentication scheme: that of bearer tokens unless given.
    /// - Throws: `invalidResponse` when the token cannot stand in a header field, where a line break would begin another.
    package func authorized(with token: Secret, scheme: String = "Bearer") throws(AuthError) -> AuthHTTPRequest {
        let text = token.reveal()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidResponse,
                "The access token is empty or has characters that no header field takes. Check what the server issues.")
        }
        var request = self
        request.headers[.authorization] = "\(scheme) \(text)"
        return request
    }
}

extension AuthError {
    /// A bound token that the caller would send without its proof.
    static var unprovenToken: Self {
        AuthError(
            .misconfigured,
            """
            The access token is bound to a key, and a server refuses it without a proof of that key. Send the request with \
            `data(for:)` of the service, which proves it.
            """)
    }
}
