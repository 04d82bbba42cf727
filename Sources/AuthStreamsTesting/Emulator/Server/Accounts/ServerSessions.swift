import AuthStreams
import Foundation

/// The sessions of the app's server: opaque access tokens, and refresh tokens that work once (RFC 9700 section 4.14).
///
/// All tokens of one sign-in form a family. A second use of a refresh token ends its family, since the server cannot
/// distinguish the app from a thief. A server with a reuse window accepts the token that was just replaced once more,
/// as long as its successor is unused, and answers with that successor again.
struct ServerSessions {
    /// One sign-in and all its tokens.
    struct Family {
        let id: String
        let userID: String
        var provider: ProviderID
        /// When the person last signed in or re-authenticated.
        var signedInAt: Date
        var endReason: EndReason?
    }

    /// Why a family's tokens are no longer valid.
    enum EndReason {
        case signedOut, reused, revoked, revokedAtProvider

        var problem: ServerProblem {
            switch self {
            case .signedOut: ServerProblem("session-expired", "The session was signed out.")
            case .reused: ServerProblem("session-expired", "A refresh token was used twice, so the session ended.")
            case .revoked: ServerProblem("session-revoked", "The session was revoked.")
            case .revokedAtProvider: ServerProblem("revoked-at-provider", "The person withdrew the app's access.")
            }
        }
    }

    /// The tokens of an answer.
    struct Tokens {
        let access: String
        let refresh: String?
        let lifetime: Duration
    }

    private struct AccessToken {
        let family: String
        let expiresAt: Date
    }
    private struct RefreshToken {
        let family: String
        let expiresAt: Date
        /// When it was used, and its successor.
        var replacement: (date: Date, successor: String)?
        var isForgiven = false
    }
    private var families = KeyedStore<Family>("session", limit: EmulatorLimit.signIns) { [$0.userID] }
    private var accessTokens = KeyedStore<AccessToken>("access token", limit: EmulatorLimit.tokens)
    private var refreshTokens = KeyedStore<RefreshToken>("refresh token", limit: EmulatorLimit.tokens)

    mutating func begin(for userID: String, from provider: ProviderID, now: Date) -> Family {
        let family = Family(id: families.newKey(), userID: userID, provider: provider, signedInAt: now)
        families[family.id] = family
        return family
    }

    /// Issues the first tokens of a family.
    mutating func issue(for family: Family, by rules: EmulatorConfiguration.Server, now: Date) -> Tokens {
        let refresh = rules.givesRefreshTokens ? issueRefreshToken(for: family, by: rules, now: now) : nil
        return issueAccessToken(for: family, by: rules, now: now, beside: refresh)
    }

    /// Issues a further access token, beside the caller's refresh token.
    mutating func issueAccessToken(
        for family: Family, by rules: EmulatorConfiguration.Server, now: Date, beside refresh: String? = nil
    ) -> Tokens {
        let token = AccessToken(family: family.id, expiresAt: now + rules.accessTokenLifetime / .seconds(1))
        let access = accessTokens.add(token, "at-")
        return Tokens(access: access, refresh: refresh, lifetime: rules.accessTokenLifetime)
    }

    private mutating func issueRefreshToken(
        for family: Family, by rules: EmulatorConfiguration.Server, now: Date
    ) -> String {
        refreshTokens.add(
            RefreshToken(family: family.id, expiresAt: now + rules.refreshTokenLifetime / .seconds(1)), "rt-")
    }

    // MARK: Refreshing

    /// Returns the family of a valid refresh token. One that was used before ends its family, unless the reuse window
    /// applies.
    mutating func family(
        refreshToken: String, by rules: EmulatorConfiguration.Server, now: Date
    ) throws(ServerProblem) -> Family {
        guard let token = refreshTokens.find(refreshToken), let family = families.find(token.family) else {
            throw ServerProblem("session-expired", "The refresh token is not known.")
        }
        if let endReason = family.endReason { throw endReason.problem }
        guard token.replacement == nil || isForgivable(token, by: rules, now: now) else {
            end(family.id, .reused)
            throw ServerProblem("refresh-token-reused", "The refresh token was used before. The session is over.")
        }
        guard token.expiresAt > now else { throw ServerProblem("session-expired", "The refresh token is expired.") }
        return family
    }

    private func isForgivable(_ token: RefreshToken, by rules: EmulatorConfiguration.Server, now: Date) -> Bool {
        guard let window = rules.refreshReuseWindow, let replacement = token.replacement, !token.isForgiven else {
            return false
        }
        return now < replacement.date + window / .seconds(1) && refreshTokens[replacement.successor]?.replacement == nil
    }

    /// Consumes a refresh token, or repeats its answer within the reuse window.
    ///
    /// - Returns: The next tokens, and whether this refresh token was answered before.
    mutating func renew(
        _ refreshToken: String, of family: Family, by rules: EmulatorConfiguration.Server, now: Date
    ) -> (tokens: Tokens, isRepeated: Bool) {
        if let successor = refreshTokens[refreshToken]?.replacement?.successor {
            refreshTokens[refreshToken]?.isForgiven = true
            return (issueAccessToken(for: family, by: rules, now: now, beside: successor), true)
        }
        let successor = issueRefreshToken(for: family, by: rules, now: now)
        refreshTokens[refreshToken]?.replacement = (now, successor)
        return (issueAccessToken(for: family, by: rules, now: now, beside: successor), false)
    }

    // MARK: Families

    /// Returns the family of a valid access token.
    mutating func family(accessToken: String?, now: Date) -> Family? {
        guard let accessToken, let token = accessTokens.find(accessToken), token.expiresAt > now,
            let family = families.find(token.family), family.endReason == nil
        else { return nil }
        return family
    }

    /// Returns the family of a refresh token, valid or not.
    mutating func family(ofRefreshToken token: String?) -> Family? {
        token.flatMap { refreshTokens.find($0) }.flatMap { families.find($0.family) }
    }

    /// Returns a family that has not ended.
    func family(_ id: String) -> Family? { families[id].flatMap { $0.endReason == nil ? $0 : nil } }

    /// Changes a family.
    mutating func update(_ family: String, _ change: (inout Family) -> Void) { families.update(family, change) }

    /// Ends a family, unless it has already ended.
    mutating func end(_ family: String, _ endReason: EndReason) {
        update(family) { $0.endReason = $0.endReason ?? endReason }
    }

    /// Ends every session of a user, or those that began with one provider, up to a date.
    mutating func endAll(
        of userID: String, from provider: ProviderID? = nil, until date: Date = .distantFuture, _ endReason: EndReason
    ) {
        for family in families.all(named: userID)
        where (provider == nil || family.provider == provider) && family.signedInAt <= date {
            end(family.id, endReason)
        }
    }

    /// Returns the number of a user's sessions that have not been ended.
    func count(of userID: String) -> Int { families.all(named: userID).count { $0.endReason == nil } }
}

/// One refresh token that was sent to the app's emulated server, and the result.
public struct ServerRefresh: Hashable, Sendable {
    /// The server's answer.
    public enum Answer: Hashable, Sendable {
        /// The next tokens.
        case replaced
        /// The same next refresh token once more, within the reuse window.
        case repeated
        /// A problem of that type, such as `refresh-token-reused`.
        case refused(String)
    }

    /// The token's user; `nil` for a token that the server never issued.
    public let userID: String?
    /// How often this token was sent, including this time.
    public let use: Int
    /// The server's answer, whether or not the client received it.
    public let answer: Answer
    let token: Secret
}

extension ServerRefresh: CustomStringConvertible, CustomReflectable {
    /// Such as `user-1 2 repeated`; never the token.
    public var description: String { "\(userID ?? "unknown") \(use) \(answer)" }
    /// A mirror without children, because one would be the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The newest refreshes that the server has carried out or refused, in order.
struct ServerRefreshLog {
    private var refreshes = RecentList<ServerRefresh>("refresh", limit: EmulatorLimit.tokens)
    private var uses = KeyedStore<Int>("refresh token's count", limit: EmulatorLimit.tokens)

    var all: [ServerRefresh] { refreshes.all }

    mutating func add(_ token: String, of userID: String?, _ answer: ServerRefresh.Answer) {
        let use = (uses[token] ?? 0) + 1
        uses[token] = use
        refreshes.append(ServerRefresh(userID: userID, use: use, answer: answer, token: Secret(token)))
    }

    func count(of token: Secret) -> Int { uses[token.reveal()] ?? 0 }
}
