import AuthStreams
import Foundation

extension Emulator {
    /// The users of the emulated Supabase project, and its dashboard.
    public var supabase: EmulatedSupabase {
        EmulatedSupabase(
            state: router.world.service(EmulatedGoTrue.self)?.state ?? Lock(SupabaseState()), clock: configuration.clock
        )
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

extension EmulatorConfiguration {
    /// The project whose Supabase Auth is emulated.
    public struct Supabase: Sendable {
        /// The production base URL.
        public static let baseURL = "https://authstreams.supabase.co"
        static let host = "authstreams.supabase.co"

        /// The publishable key, which every request has to have.
        public var key = "sb_publishable_emulator"
        /// The providers whose ID tokens it takes, by their names at Supabase.
        public var providers: Set<String> = ["apple", "google", "kakao"]
        /// Whether a user may have no address.
        public var allowsUsersWithoutEmail = false
        /// Whether a sign-up sends a code and a link, and gives no session before.
        public var confirmsEmail = true
        /// Whether a new number is confirmed by a code.
        public var confirmsPhone = true
        /// Whether anonymous users are allowed.
        package var allowsAnonymousUsers = true
        /// Whether identities may be removed.
        package var allowsManualLinking = true
        /// Whether users may have authenticator apps.
        package var allowsAuthenticatorApps = true
        /// Whether a new password requires a code, if the session is older than a day.
        public var requiresReauthentication = false
        /// Whether a new password requires the current one.
        public var requiresCurrentPassword = false
        /// The shortest password.
        package var minimumPasswordLength = 6
        /// The lifetime of an access token.
        public var accessTokenLifetime = Duration.seconds(3600)
        /// How long after a refresh an older refresh token is taken, which then gets the current one. The one before the current is
        /// always taken.
        package var reuseInterval = Duration.seconds(10)
        /// The wait between two mails or messages of a kind to a user.
        package var mailInterval = Duration.seconds(60)
        /// How long a code or a link is valid.
        package var codeLifetime = Duration.seconds(3600)
        /// How long a challenge of a second factor is valid.
        package var challengeLifetime = Duration.seconds(300)
        /// The name of the Edge Function that deletes the account of its caller.
        public var deletionFunction = "delete-account"
    }
}

extension EmulatorEndpoint {
    /// Supabase's sessions: by an ID token, a password or a refresh token.
    public static let supabaseToken: Self = "authstreams.supabase.co/auth/v1/token"
}
