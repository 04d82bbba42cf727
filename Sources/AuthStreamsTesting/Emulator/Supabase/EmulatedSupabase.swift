import AuthStreams
import Foundation

extension Emulator {
    /// The users of the emulated Supabase project, and its dashboard.
    public var supabase: EmulatedSupabase {
        let gotrue = router.services[EmulatorConfiguration.Supabase.host]?.lazy.compactMap { $0 as? EmulatedGoTrue }
            .first
        return EmulatedSupabase(state: gotrue?.state ?? Lock(SupabaseState()), clock: configuration.clock)
    }
}

/// The dashboard of an emulated Supabase project; see ``Emulator/supabase``.
public struct EmulatedSupabase: Sendable {
    let state: Lock<SupabaseState>
    let clock: AuthClock

    /// The identifiers of all users, the oldest first.
    public var userIDs: [String] { state.withLock { $0.users.all.map(\.id) } }

    /// The newest 1024 mails and text messages that Supabase has sent, in order. A page lists them, too.
    ///
    /// The link of a mail has the hash of its code, as the template of the article *Use Supabase* makes it.
    public var messages: [EmulatedMessage] { state.withLock { $0.messages.all } }

    /// Bans a user: signing in and refreshing end with `user_banned`.
    ///
    /// - Returns: `false` if there is no such user. The same applies to the other methods.
    @discardableResult
    public func ban(_ id: String) -> Bool { state.withLock { $0.update(id) { $0.isBanned = true } } }

    /// Gives a user another name.
    @discardableResult
    public func rename(_ id: String, to name: String) -> Bool {
        state.withLock {
            $0.update(id) { $0.metadata.merge(["full_name": .string(name), "name": .string(name)]) { $1 } }
        }
    }

    /// Deletes a user, and with them their sessions and refresh tokens: refreshing ends with `refresh_token_not_found`.
    @discardableResult
    public func delete(_ id: String) -> Bool { state.withLock { $0.delete(id) } }

    /// Ends every session of a user: refreshing ends with `refresh_token_not_found`.
    @discardableResult
    public func revokeSessions(of id: String) -> Bool {
        state.withLock { state in
            state.endSessions(of: id)
            return state[id] != nil
        }
    }

    /// The number of a user's sessions.
    public func sessionCount(of id: String) -> Int { state.withLock { $0.sessions.keys(named: id).count } }

    /// Adds an authenticator app to a user. Signing in then gives a session of the first level, until its code is sent.
    ///
    /// - Returns: The app, which shows the codes; `nil` if there is no such user.
    @discardableResult
    public func enrollAuthenticatorApp(for id: String, named name: String = "Authenticator") -> AuthenticatorApp? {
        var factor = SupabaseUser.Factor(name: name, secret: AuthenticatorApp.makeSecret(), createdAt: clock.date)
        factor.isVerified = true
        let isThere = state.withLock { [factor] in $0.update(id) { $0.factors.append(factor) } }
        return isThere ? AuthenticatorApp(secret: factor.secret) : nil
    }
}

extension EmulatorServices {
    /// The Supabase project.
    static var supabase: [any EmulatorService] { [EmulatedGoTrue(state: Lock(SupabaseState()))] }
}
