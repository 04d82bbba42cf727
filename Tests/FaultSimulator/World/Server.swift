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
        /// When the person last proved their identity.
        var provenAt: Milliseconds
        /// The valid refresh token.
        var current = 0
        /// Until when the previous one is still accepted.
        var previousIsTakenUntil: Milliseconds = 0
        /// When each access token expires.
        var expiries: [Milliseconds] = []
        /// Whether its user was made with it.
        var isNew = false
        /// Whether the person took a further step in it.
        var hasAnswered = false
        /// Why it is over.
        var ending: AuthError.Code?
    }

    unowned let world: World
    private(set) var families: [Family] = []
    var accounts: Accounts
    /// The further steps that it wanted, by the numbers in their pending tokens.
    var steps: [PendingStep] = []

    init(_ world: World) {
        self.world = world
        accounts = Accounts(persons: world.plan.persons)
    }

    /// Whose session it is.
    func user(of family: Int) -> Int { families[family].user }

    /// Whether there is such a session.
    func knows(_ token: TokenName) -> Bool { families.indices.contains(token.family) }

    // MARK: The console

    /// Ends the sessions of a user.
    func revoke(_ user: Int) { end(user, .sessionExpired) }

    /// Ends the sessions of a user, who is refused from here on.
    func refuse(_ user: Int, _ code: AuthError.Code) {
        accounts.refuse(user, code)
        end(user, code)
    }

    func end(_ user: Int, _ code: AuthError.Code) {
        for index in families.indices where families[index].user == user {
            families[index].ending = families[index].ending ?? code
        }
    }

    // MARK: The endpoints

    /// A person proves who they are.
    func signIn(_ identity: Identity) -> Answer {
        if let user = accounts.user(of: identity) {
            if let code = accounts[user].refusal { return .problem(403, Self.problem(code)) }
            return session(of: begin(user))
        }
        // The address is the same at either provider.
        if identity.provider != .kakao, accounts.user(of: Identity(identity.person)) != nil {
            return .problem(409, "account-exists")
        }
        return session(of: beginNew([identity]))
    }

    /// A person signs in anonymously.
    func signInAnonymously() -> Answer { session(of: beginNew([])) }

    /// Begins a session.
    ///
    /// - Parameter parent: The session by whose access token it was asked for.
    func begin(_ user: Int, from parent: Int? = nil) -> Int {
        families.append(Family(user: user, provenAt: world.now))
        world.ledger.lineage.made(at: world.ledger.mark(), from: parent)
        return families.count - 1
    }

    private func beginNew(_ identities: [Identity]) -> Int {
        let family = begin(accounts.add(identities))
        families[family].isNew = true
        return family
    }

    /// The person has proven their identity again.
    func proved(_ family: Int) { families[family].provenAt = world.now }

    /// The person took a further step.
    func answered(_ family: Int) { families[family].hasAnswered = true }

    /// A refresh token is used.
    func refresh(_ token: TokenName) -> Answer {
        guard families.indices.contains(token.family) else { return .problem(400, "invalid-request") }
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

    /// A session is signed out.
    func signOut(_ token: TokenName) -> Answer {
        if families.indices.contains(token.family) {
            families[token.family].ending = families[token.family].ending ?? .sessionExpired
        }
        return Answer(AuthHTTPResponse(status: 204))
    }

    /// Whether an access token is valid, and no newer one is needed.
    func accepts(_ token: TokenName) -> Bool {
        guard families.indices.contains(token.family) else { return false }
        let family = families[token.family]
        return family.ending == nil && family.expiries.indices.contains(token.number)
            && world.now < family.expiries[token.number]
    }

    /// The next access token of a session, and the refresh token that is good.
    func session(of index: Int) -> Answer {
        let access = nextAccessToken(of: index)
        let family = families[index]
        let refresh = TokenName(.refresh, family: index, number: family.current)
        return .session(
            access, world.plan.hasRefreshTokens ? refresh : nil, lifetime: world.plan.lifetime / 1000,
            user: .json(family.user, accounts[family.user]), isNew: family.isNew && access.number == 0)
    }

    func nextAccessToken(of index: Int) -> TokenName {
        families[index].expiries.append(world.now + world.plan.lifetime)
        return TokenName(.access, family: index, number: families[index].expiries.count - 1)
    }

    private func refusal(of token: TokenName, _ code: AuthError.Code) -> Answer {
        .problem(code == .sessionExpired ? 401 : 403, Self.problem(code), meaning: .refusal(token, code))
    }

    static func problem(_ code: AuthError.Code) -> String {
        switch code {
        case .userDisabled: "user-disabled"
        case .userNotFound: "user-not-found"
        default: "session-expired"
        }
    }
}

extension String {
    /// The user as the server's answers have them.
    static func json(_ number: Int, _ user: Accounts.User) -> String {
        let identities = user.identities.map { #"{"id":"\#($0.provider)","email":"\#($0.person)"}"# }
        return #"""
            {"id":"u\#(number)","isAnonymous":\#(identities.isEmpty),"providers":[\#(identities.joined(separator: ","))]}
            """#
    }
}
