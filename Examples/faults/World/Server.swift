import AuthStreams
import Foundation

/// The app's server: sessions with access tokens that expire and refresh tokens that rotate.
///
/// By the single-use rule a refresh token is replaced by being used. It is taken once more within the reuse window; beyond
/// it, a second use counts as a theft, and the whole session is revoked (RFC 9700 section 4.14.2).
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Server: @unchecked Sendable {
    /// One session: the tokens that follow one from another.
    struct Family {
        let user: Int
        /// The refresh token that is good.
        var current = 0
        /// Until when the one before it is still taken.
        var previousIsTakenUntil: Milliseconds = 0
        /// When each access token expires.
        var expiries: [Milliseconds] = []
        /// Why it is over.
        var ending: AuthError.Code?
    }

    private unowned let world: World
    private(set) var families: [Family] = []
    private var refusedUsers: [Int: AuthError.Code] = [:]

    init(_ world: World) {
        self.world = world
    }

    /// Whose session it is.
    func user(of family: Int) -> Int { families[family].user }

    // MARK: The console

    /// Ends the sessions of a user.
    func revoke(_ user: Int) { end(user, .sessionExpired) }

    /// Ends the sessions of a user, who is refused from here on.
    func refuse(_ user: Int, _ code: AuthError.Code) {
        refusedUsers[user] = code
        end(user, code)
    }

    private func end(_ user: Int, _ code: AuthError.Code) {
        for index in families.indices where families[index].user == user {
            families[index].ending = families[index].ending ?? code
        }
    }

    // MARK: The endpoints

    /// A user proves who they are.
    func signIn(_ user: Int) -> Answer {
        if let code = refusedUsers[user] { return .problem(403, Self.problem(code), meaning: nil) }
        families.append(Family(user: user))
        world.ledger.made(families.count - 1)
        return session(of: families.count - 1)
    }

    /// A refresh token is used.
    func refresh(_ token: TokenName) -> Answer {
        guard families.indices.contains(token.family) else { return .problem(400, "invalid-request", meaning: nil) }
        let family = families[token.family]
        if let code = family.ending { return refusal(of: token, code) }
        if world.plan.rule == .reusable { return session(of: token.family) }
        switch token.number {
        case family.current:
            families[token.family].current += 1
            families[token.family].previousIsTakenUntil = world.now + world.plan.reuseWindow
            return session(of: token.family)
        case family.current - 1 where world.now < family.previousIsTakenUntil:
            return session(of: token.family)
        default:
            families[token.family].ending = .sessionExpired
            return .problem(
                401, "refresh-token-reused", meaning: .refusal(token, .sessionExpired))
        }
    }

    /// A session is given back.
    func signOut(_ token: TokenName) -> Answer {
        if families.indices.contains(token.family) {
            families[token.family].ending = families[token.family].ending ?? .sessionExpired
        }
        return Answer(HTTPResponse(status: 204))
    }

    /// Whether an access token is good, and no better one is needed.
    func accepts(_ token: TokenName) -> Bool {
        guard families.indices.contains(token.family) else { return false }
        let family = families[token.family]
        return family.ending == nil && family.expiries.indices.contains(token.number)
            && world.now < family.expiries[token.number]
    }

    private func session(of index: Int) -> Answer {
        families[index].expiries.append(world.now + world.plan.lifetime)
        let family = families[index]
        let access = TokenName(.access, family: index, number: family.expiries.count - 1)
        let refresh = TokenName(.refresh, family: index, number: family.current)
        return .session(
            access, refresh, lifetime: world.plan.lifetime / 1000, user: "u\(family.user)")
    }

    private func refusal(of token: TokenName, _ code: AuthError.Code) -> Answer {
        .problem(code == .sessionExpired ? 401 : 403, Self.problem(code), meaning: .refusal(token, code))
    }

    private static func problem(_ code: AuthError.Code) -> String {
        switch code {
        case .userDisabled: "user-disabled"
        case .userNotFound: "user-not-found"
        default: "session-expired"
        }
    }
}
