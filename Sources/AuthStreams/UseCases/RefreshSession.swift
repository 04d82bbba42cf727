/// The use case 'refresh': an access token that is good, for whoever needs one.
///
/// ```
/// accessToken() ──▶ good? ──▶ the token: one lock, one look at the clock
///                     │ no
///                     ▼
///     the refresh under way, or a new one: lock of all processes ─▶ read what they did ─▶ note 'sent' ─▶ ask the server
///                     ─▶ store what it answered ─▶ everybody who waits
/// ```
///
/// However many ask, one request is sent, and it outlives whoever began it. Only the server's definite no ends the session.
public struct RefreshSession: Sendable {
    let repository: any AuthRepository
    @usableFromInline let manager: SessionManager

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// The access token, refreshed first if it is over or about to be.
    ///
    /// - Parameter forceRefresh: Whether to ask the server for a new one, however long the present one is good.
    /// - Throws: ``AuthError``; `notSignedIn` when no user is signed in; `sessionExpired`, `userDisabled` or `userNotFound`
    ///   when the server says that the session is over, which is signed out then; `sessionExpired` also, ending nothing, for
    ///   a forced refresh without a refresh token; `superseded` when the person signed out or
    ///   changed meanwhile; `rateLimited` while the server wants to be left alone, with the rest in `retryAfter`;
    ///   `storage` or `storageLocked` while new tokens cannot be stored; `timedOut` also while a process that was stopped has the
    ///   lock of refreshes; `cancelled`; or why the server could not be asked, which ends nothing.
    @inlinable
    public func accessToken(forceRefresh: Bool = false) async throws(AuthError) -> Secret {
        // Inlined: a call that may wait keeps its place first, which would be a third of the time that a good token takes.
        switch forceRefresh ? .nothing : manager.atHand {
        case .token(let token): return token
        case .flight(let flight): return try await flight.token()
        case .nothing: return try await token(isNew: forceRefresh)
        }
    }

    @usableFromInline
    func token(isNew: Bool) async throws(AuthError) -> Secret { try await token(for: isNew ? .new : .good) }

    /// A good access token other than that one, which a server refused.
    ///
    /// Where another took its place meanwhile, nobody is asked.
    package func accessToken(replacing refused: Secret) async throws(AuthError) -> Secret {
        try await token(for: .replacing(refused))
    }

    /// The session, with an access token that is good.
    ///
    /// - Parameters:
    ///   - user: Whose it has to be; unless given, whoever is signed in at the call. Who goes on after a server refused a
    ///     token says whose that was, or the next user would get what the one before began.
    ///   - refused: An access token of theirs that a server refused, so that it has to be another.
    /// - Throws: As ``accessToken(forceRefresh:)``; `superseded` when somebody else is signed in by now.
    package func session(
        of user: AuthUser.ID? = nil, replacing refused: Secret? = nil
    ) async throws(AuthError) -> Session {
        let user = user ?? manager.session?.user.id
        while true {
            let token = try await token(for: refused.map(TokenDemand.replacing) ?? .good)
            guard let session = manager.session, session.user.id == user ?? session.user.id else { throw .superseded }
            // The next may be there already, and not be stored yet.
            if session.accessToken == token { return session }
        }
    }

    private func token(for demand: TokenDemand) async throws(AuthError) -> Secret {
        while true {
            switch manager.token(for: demand) {
            case .token(let token): return token
            case .refresh:
                if let token = try await refreshed(for: demand) { return token }
            case .unstored:
                let user = manager.session?.user.id
                try await manager.persist()
                guard manager.session?.user.id == user else { throw .superseded }
            case .nobody:
                // 'Not read yet' is not 'nobody'.
                guard manager.isRestoring, try await manager.known() != nil else { throw .notSignedIn }
            case .adopting: throw .adopting
            case .held(let rest): throw .held(for: rest)
            case .onlyOne: throw .onlyOne
            }
        }
    }

    /// Does what is due without anybody asking: a refresh, or writing what the store did not take.
    func workAhead() async throws(AuthError) {
        if manager.isWriteDue { try await manager.persist() } else { _ = try await token(for: .new) }
    }

    /// Waits for the refresh under way, or for one that begins here; `nil` when by now none is needed.
    private func refreshed(for demand: TokenDemand) async throws(AuthError) -> Secret? {
        guard let boarding = manager.board(for: demand) else { return nil }
        if boarding.isNew {
            // Not a child task: others wait for it, and its answer must not be lost because one of them leaves. They may have
            // a higher priority than this caller.
            _ = OwnTask.start(priority: .high) { await carryOut(boarding.flight) }
        }
        let token = try await boarding.flight.token()
        // A refresh that was over but for its landing brought the very token that was refused since.
        if case .replacing(token) = demand, boarding.flight.replaced != token { return nil }
        return token
    }
}

extension AuthError {
    fileprivate static var onlyOne: Self {
        AuthError(
            .sessionExpired,
            "The session has no refresh token, so there is no newer access token. It stays signed in until that is over."
        )
    }

    fileprivate static func held(for rest: Duration) -> Self {
        AuthError(.rateLimited, "The server asked to be left alone, so nothing was sent. Try later.", retryAfter: rest)
    }
}
