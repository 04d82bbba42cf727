import AuthStreams
import Foundation

/// The sessions of the app's server: opaque access tokens, and refresh tokens that work once (RFC 9700 section 4.14).
///
/// All tokens of one sign-in form a family. A second use of a refresh token ends its family, since the server cannot
/// distinguish the app from a thief. A server with a reuse window accepts the token that was just replaced once more,
/// as long as its successor is unused, and answers with that successor again.
struct ServerSessions {
    /// One sign-in, whose tokens are numbered.
    struct Family {
        let id: String
        let userID: String
        var provider: ProviderID
        /// When the person last signed in or re-authenticated.
        var signedInAt: Date
        var endReason: EndReason?
        fileprivate let secret = GrantStore.random()
        fileprivate var accessTokens: Int64 = 0
        /// The number of the refresh token that was not used yet, until when it is valid, and when the one before it was used.
        fileprivate var refreshToken: (number: Int64, until: Date, since: Date) = (0, .distantPast, .distantPast)
        /// Whether the answer to the refresh token before it was repeated.
        fileprivate var isForgiven = false
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

    private var families = KeyedStore<Family>("session", limit: EmulatorLimit.signIns) { [$0.userID] }

    /// Returns the family that has issued a token, and the token's numbers.
    private mutating func find(_ text: String?, _ prefix: String) -> (family: Family, numbers: [Int64])? {
        guard let token = SessionToken(prefix, text), let family = families.find(token.session),
            token.isValid(by: family.secret)
        else { return nil }
        return (family, token.numbers)
    }

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
        let until = Int64((now + rules.accessTokenLifetime / .seconds(1)).timeIntervalSince1970 * 1000)
        let number = (families[family.id]?.accessTokens ?? 0) + 1
        families.update(family.id) { $0.accessTokens = number }
        let access = SessionToken("at-", of: family.id, number, until, by: family.secret).text
        return Tokens(access: access, refresh: refresh, lifetime: rules.accessTokenLifetime)
    }

    private mutating func issueRefreshToken(
        for family: Family, by rules: EmulatorConfiguration.Server, now: Date
    ) -> String {
        let number = family.refreshToken.number + 1
        families.update(family.id) {
            $0.refreshToken = (number, now + rules.refreshTokenLifetime / .seconds(1), now)
            $0.isForgiven = false
        }
        return SessionToken("rt-", of: family.id, number, by: family.secret).text
    }

    // MARK: Refreshing

    /// Returns the family of a valid refresh token. One that was used before ends its family, unless the reuse window
    /// applies.
    mutating func family(
        refreshToken: String, by rules: EmulatorConfiguration.Server, now: Date
    ) throws(ServerProblem) -> Family {
        guard let (family, numbers) = find(refreshToken, "rt-"), let number = numbers.first else {
            throw ServerProblem("session-expired", "The refresh token is not known.")
        }
        if let endReason = family.endReason { throw endReason.problem }
        guard number == family.refreshToken.number || isForgivable(number, of: family, by: rules, now: now) else {
            end(family.id, .reused)
            throw ServerProblem("refresh-token-reused", "The refresh token was used before. The session is over.")
        }
        guard family.refreshToken.until > now else {
            throw ServerProblem("session-expired", "The refresh token is expired.")
        }
        return family
    }

    private func isForgivable(
        _ number: Int64, of family: Family, by rules: EmulatorConfiguration.Server, now: Date
    ) -> Bool {
        guard let window = rules.refreshReuseWindow, !family.isForgiven else { return false }
        return number == family.refreshToken.number - 1 && now < family.refreshToken.since + window / .seconds(1)
    }

    /// Consumes a refresh token, or repeats its answer within the reuse window.
    ///
    /// - Returns: The next tokens, and whether this refresh token was answered before.
    mutating func renew(
        _ refreshToken: String, of family: Family, by rules: EmulatorConfiguration.Server, now: Date
    ) -> (tokens: Tokens, isRepeated: Bool) {
        let newest = SessionToken("rt-", of: family.id, family.refreshToken.number, by: family.secret).text
        guard refreshToken != newest else {
            let successor = issueRefreshToken(for: family, by: rules, now: now)
            return (issueAccessToken(for: family, by: rules, now: now, beside: successor), false)
        }
        families.update(family.id) { $0.isForgiven = true }
        return (issueAccessToken(for: family, by: rules, now: now, beside: newest), true)
    }

    // MARK: Families

    /// Returns the family of a valid access token.
    mutating func family(accessToken: String?, now: Date) -> Family? {
        guard let (family, numbers) = find(accessToken, "at-"), family.endReason == nil,
            let until = numbers.last, TimeInterval(until) / 1000 > now.timeIntervalSince1970
        else { return nil }
        return family
    }

    /// Returns the family of a refresh token, valid or not.
    mutating func family(ofRefreshToken token: String?) -> Family? { find(token, "rt-")?.family }

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
