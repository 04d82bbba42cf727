public import AuthStreams

extension Emulator {
    /// The users of the app's own server, and what its operators do to them.
    public var server: EmulatedServer {
        let api = router.services[EmulatorConfiguration.Server.host]?.lazy.compactMap { $0 as? EmulatedAPI }.first
        return EmulatedServer(state: api?.state ?? Lock(ServerState()), clock: configuration.clock)
    }
}

/// The back office of the app's own emulated server; see ``Emulator/server``.
public struct EmulatedServer: Sendable {
    let state: Lock<ServerState>
    let clock: AuthClock

    /// Every user, the oldest first.
    public var users: [ServerAccount] { state.withLock { $0.accounts.all } }

    /// The user of an identifier.
    public subscript(id: String) -> ServerAccount? { state.withLock { $0.accounts[id] } }

    /// Disables a user: signing in and refreshing end with `user-disabled`.
    ///
    /// - Returns: `false` when there is no such user. The same holds for the other methods.
    @discardableResult
    public func disable(_ id: String) -> Bool { state.withLock { $0.accounts.update(id) { $0.isDisabled = true } } }

    /// Enables a user again.
    @discardableResult
    public func enable(_ id: String) -> Bool { state.withLock { $0.accounts.update(id) { $0.isDisabled = false } } }

    /// Deletes a user: refreshing ends with `user-not-found`.
    @discardableResult
    public func delete(_ id: String) -> Bool { state.withLock { $0.accounts.remove(id) } }

    /// Sets the server's own claims about a user, which each answer with a session repeats.
    @discardableResult
    public func setClaims(_ claims: [String: JSONValue], of id: String) -> Bool {
        state.withLock { $0.accounts.update(id) { $0.claims = claims } }
    }

    /// Ends every session of a user: refreshing ends with `session-revoked`, and access tokens no longer count.
    @discardableResult
    public func revokeSessions(of id: String) -> Bool {
        state.withLock { state in
            state.sessions.endAll(of: id, .revoked)
            return state.accounts[id] != nil
        }
    }

    /// Hears from a provider that a person withdrew the app's access there: the sessions that began with it end, and
    /// refreshing them ends with `revoked-at-provider`.
    @discardableResult
    public func noteRevocation(at provider: ProviderID, by id: String) -> Bool {
        state.withLock { state in
            state.sessions.endAll(of: id, from: provider, .revokedAtProvider)
            return state.accounts[id] != nil
        }
    }

    /// How many sessions of a user have been ended neither by the person nor by the server.
    ///
    /// With the user end their sessions.
    public func sessionCount(of id: String) -> Int {
        state.withLock { $0.accounts[id] == nil ? 0 : $0.sessions.count(of: id) }
    }

    /// Whether a request with this access token would be let in now: it is known, not expired, and its session goes on.
    public func accepts(accessToken: Secret) -> Bool {
        state.withLock { $0.sessions.family(accessToken: accessToken.reveal(), now: clock.date) != nil }
    }

    // MARK: What was refreshed

    /// Every refresh token that came, in order, and what became of it. What a fault answered in the server's place never
    /// came; what a fault lost the answer of did.
    public var refreshes: [ServerRefresh] { state.withLock { $0.refreshes.all } }

    /// How often that refresh token came.
    public func refreshCount(of token: Secret) -> Int { state.withLock { $0.refreshes.count(of: token) } }

    /// The refreshes with a token that had come before: none, unless an answer was lost.
    public var repeatedRefreshes: [ServerRefresh] { refreshes.filter { $0.use > 1 } }
}
