/// An access token, and which session it is of.
struct Bearer: Equatable, Sendable {
    let token: Secret
    /// Stays the same when the session is refreshed, and is another one for the next sign-in.
    let session: SessionID
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

    /// Time, for events.
    var clock: AuthClock { get }

    /// Reports an event.
    func publish(_ event: AuthEvent)
}

extension RefreshSession: BearerSource {
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
            return Bearer(token: token, session: active.stage.id)
        }
    }
}

extension AuthHTTPRequest {
    /// The request with a token (RFC 6750 section 2.1).
    ///
    /// - Throws: `invalidResponse` when the token cannot stand in a header field, where a line break would begin another.
    func authorized(with token: Secret) throws(AuthError) -> AuthHTTPRequest {
        let text = token.reveal()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidResponse,
                "The access token is empty or has characters that no header field takes. Check what the server issues.")
        }
        var request = self
        request.headers[.authorization] = "Bearer \(text)"
        return request
    }
}
