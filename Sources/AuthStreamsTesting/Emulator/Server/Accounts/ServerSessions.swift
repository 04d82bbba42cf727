import AuthStreams
import Foundation

/// The sessions of the app's server: opaque access tokens, and refresh tokens that work once (RFC 9700 section 4.14).
///
/// All tokens that came of one sign-in are a family. Whoever uses a refresh token a second time ends its family, since
/// nobody can tell whether that is the app or a thief.
struct ServerSessions {
    /// One sign-in, and all that came of it.
    struct Family {
        let id: Int
        let userID: String
        let provider: ProviderID
        let signedInAt: Date
        var isRevoked = false
    }

    /// What an answer carries.
    struct Tokens {
        let access: String
        let refresh: String?
        let lifetime: Duration
    }

    private struct Token {
        let family: Int
        let expiresAt: Date
        var isUsed = false
    }
    private var families: [Int: Family] = [:]
    private var accessTokens: [String: Token] = [:]
    private var refreshTokens: [String: Token] = [:]

    mutating func begin(for userID: String, from provider: ProviderID, now: Date) -> Family {
        let family = Family(id: families.count + 1, userID: userID, provider: provider, signedInAt: now)
        families[family.id] = family
        return family
    }

    mutating func issue(for family: Family, by rules: EmulatorConfiguration.Server, now: Date) -> Tokens {
        let access = Self.random("at-")
        accessTokens[access] = Token(family: family.id, expiresAt: now + rules.accessTokenLifetime / .seconds(1))
        var refresh: String?
        if rules.givesRefreshTokens {
            let token = Self.random("rt-")
            refreshTokens[token] = Token(family: family.id, expiresAt: now + rules.refreshTokenLifetime / .seconds(1))
            refresh = token
        }
        return Tokens(access: access, refresh: refresh, lifetime: rules.accessTokenLifetime)
    }

    /// The family of a refresh token that is good now. One that was used before ends its family.
    mutating func family(refreshToken: String, now: Date) throws(ServerProblem) -> Family {
        guard let token = refreshTokens[refreshToken], let family = families[token.family] else {
            throw ServerProblem("session-expired", "The refresh token is not known.")
        }
        guard !family.isRevoked else { throw ServerProblem("session-expired", "The session was revoked.") }
        guard !token.isUsed else {
            revoke(family.id)
            throw ServerProblem("refresh-token-reused", "The refresh token was used before. The session is revoked.")
        }
        guard token.expiresAt > now else { throw ServerProblem("session-expired", "The refresh token is expired.") }
        return family
    }

    /// Uses a refresh token up.
    mutating func use(_ refreshToken: String) { refreshTokens[refreshToken]?.isUsed = true }

    /// The family of an access token that is good now.
    func family(accessToken: String?, now: Date) -> Family? {
        guard let token = accessToken.flatMap({ accessTokens[$0] }), token.expiresAt > now,
            let family = families[token.family], !family.isRevoked
        else { return nil }
        return family
    }

    /// The family of a refresh token, whether or not it is good.
    func family(ofRefreshToken token: String?) -> Family? {
        token.flatMap { refreshTokens[$0] }.flatMap { families[$0.family] }
    }

    mutating func revoke(_ family: Int) { families[family]?.isRevoked = true }

    /// Ends every session of a user.
    mutating func revokeAll(of userID: String) {
        for family in families.values where family.userID == userID { revoke(family.id) }
    }

    /// How many sessions of a user have not been ended.
    func count(of userID: String) -> Int { families.values.count { $0.userID == userID && !$0.isRevoked } }

    /// 256 random bits in Base64url.
    private static func random(_ prefix: String) -> String {
        prefix + Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}
