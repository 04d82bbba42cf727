public import AuthStreams

extension Emulator {
    /// The users of the app's own server, and what its operators do to them.
    public var server: EmulatedServer {
        let api = router.services[EmulatorConfiguration.Server.host]?.lazy.compactMap { $0 as? EmulatedAPI }.first
        return EmulatedServer(state: api?.state ?? Lock(ServerState()))
    }
}

/// The back office of the app's own emulated server; see ``Emulator/server``.
public struct EmulatedServer: Sendable {
    let state: Lock<ServerState>

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

    /// Ends every session of a user: refreshing ends with `session-expired`, and access tokens no longer count.
    @discardableResult
    public func revokeSessions(of id: String) -> Bool {
        state.withLock { state in
            state.sessions.revokeAll(of: id)
            return state.accounts[id] != nil
        }
    }

    /// How many sessions of a user have been ended neither by the person nor by the server.
    ///
    /// With the user end their sessions.
    public func sessionCount(of id: String) -> Int {
        state.withLock { $0.accounts[id] == nil ? 0 : $0.sessions.count(of: id) }
    }
}
