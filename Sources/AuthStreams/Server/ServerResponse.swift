import Foundation

/// A validated answer with a session.
///
/// Members that the contract does not have are ignored. So is an optional member of another type, except the refresh
/// token: without it, the session would be lost unnoticed.
struct ServerResponse {
    /// `nil` if the session keeps its own.
    let tokens: ServerTokens?
    let user: AuthUser?
    let provider: ProviderID?
    let isNewUser: Bool

    /// The request that is answered. It decides what the answer must have.
    enum Request {
        /// Begins a session: the answer must have tokens.
        case signIn
        /// Renews the tokens, which the answer must have. The old ones are used up by then, so an unreadable user counts as
        /// absent, and a readable one keeps the members that the answer does not mention.
        case refresh
        /// Changes the user: the answer may have no tokens. A new refresh token still requires an access token beside it.
        case change
    }

    /// Reads an answer.
    ///
    /// - Parameter known: The user that the answer should have; its identifier stays where the contract takes both for the same.
    /// - Throws: `invalidResponse` with the name of the member that is missing or of another type.
    init(
        _ exchange: ServerExchange, to request: Request = .signIn, by contract: ServerContract,
        of known: AuthUser? = nil
    ) throws(AuthError) {
        let (response, url, names) = (exchange.response, exchange.request.url, contract.session)
        let payload = try contract.payload(of: exchange)
        let access = try contract.token(at: names.accessToken, payload, response, from: url)
        let refresh = try contract.refreshToken(in: payload, response, from: url)
        guard access != nil || request == .change && refresh == nil else { throw contract.missing(names.accessToken) }
        tokens = access.map { access in
            ServerTokens(
                access: access, refresh: refresh,
                lifetime: .init(payload.member(at: names.expiresIn), payload.member(at: names.expiresAt)),
                issuedAt: response.date)
        }
        user =
            switch request {
            case .signIn, .change: try contract.user(at: names.user, of: payload, known)
            case .refresh: try? contract.user(at: names.user, of: payload, known, with: .changed)
            }
        provider = payload.member(at: names.provider)?.text.map(contract.provider(named:))
        isNewUser = payload.member(at: names.isNewUser)?.lenientBool ?? false
    }
}

extension ServerContract {
    /// The members that an answer has of a user.
    enum UserMembers {
        /// All of them. What is not mentioned does not exist.
        case all
        /// Those that changed. What is not mentioned stays as it is known.
        case changed
    }

    /// Returns the user at a path of the payload; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - known: The user that it should be. Its identifier stays where both are the same user.
    ///   - members: The members that the payload has of the user.
    /// - Throws: `invalidResponse` if the user cannot be read.
    func user(
        at name: String, of payload: AuthJSON, _ known: AuthUser?, with members: UserMembers = .all
    ) throws(AuthError) -> AuthUser? {
        let value = payload.member(at: name)
        // Members beside the tokens need not be a user's.
        if name.isEmpty, [nil, .null].contains(value?.member(at: user.id)) { return nil }
        switch value {
        case nil, .null: return nil
        case .object:
            let path = path([name, user.id].filter { !$0.isEmpty }.joined(separator: "."))
            let id = try Self.identifier(value?.member(at: user.id), path)
            let same = known.flatMap { isSameUser(id, $0.id) ? $0 : nil }
            return AuthUser(
                id: same?.id ?? id, value ?? .null, by: self, updating: members == .changed ? same : nil)
        default: throw .badMember(path(name), "is not an object")
        }
    }

    private func isSameUser(_ id: String, _ other: String) -> Bool {
        user.idIgnoresCase ? id.lowercased() == other.lowercased() : id == other
    }

    private static func identifier(_ value: AuthJSON?, _ path: String) throws(AuthError) -> String {
        switch value {
        case nil, .null, .string(""): throw .badMember(path, "is missing")
        // Two identifiers must not become the same by what could not be read.
        case .string(let text) where text.unicodeScalars.contains("\u{FFFD}"):
            throw .badMember(path, "has characters that are not Unicode")
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        default: throw .badMember(path, "is neither a string nor a whole number")
        }
    }

    /// The error of an answer without a user.
    var missingUser: AuthError { .badMember(path(session.user.isEmpty ? user.id : session.user), "is missing") }
}

extension AuthError {
    /// The name is the contract's own, so it may be printed; the value never is.
    static func badMember(_ name: String, _ what: String) -> Self {
        AuthError(.invalidResponse, "The answer's member '\(name)' \(what), so nothing of it is kept.")
    }
}

/// The tokens of an answer.
struct ServerTokens {
    enum Kind { case access, refresh }

    let access: Secret
    let refresh: Secret?
    /// When the server responded, by its own clock; `nil` if the response has no date.
    let issuedAt: Date?
    private let lifetime: Lifetime

    /// The access token's lifetime, as the answer says it.
    enum Lifetime {
        case unsaid
        case duration(Duration)
        case end(Date)
        /// Neither a number nor a date.
        case unreadable

        /// - Parameters:
        ///   - duration: A number of seconds.
        ///   - end: A date, for a server that says no duration.
        init(_ duration: AuthJSON?, _ end: AuthJSON?) {
            let said = [duration, end].compactMap(\.self).filter { $0 != .null }
            if let duration = duration?.lifetime {
                self = .duration(duration)
            } else if let end = end?.date {
                self = .end(end)
            } else {
                self = said.isEmpty ? .unsaid : .unreadable
            }
        }
    }

    init(access: Secret, refresh: Secret?, lifetime: Lifetime, issuedAt: Date?) {
        self.access = access
        self.refresh = refresh
        self.lifetime = lifetime
        self.issuedAt = issuedAt
    }

    /// Returns the access token's lifetime from the arrival of the answer; `nil` if it is not known.
    ///
    /// A lifetime that the answer does not say is the token's own, `exp` − `iat`, if the token can be read. So is one that
    /// cannot be read, which is otherwise five minutes, so that the token is replaced soon.
    ///
    /// - Parameters:
    ///   - isReplaceable: Whether there is a refresh token. Without one a guess would end the session.
    ///   - now: When the answer arrived, by this device's clock, which may be wrong: the answer's own date has precedence.
    func lifetime(isReplaceable: Bool, at now: Date) -> Duration? {
        switch lifetime {
        case .duration(let duration): duration
        case .end(let end): AuthJSON.number(end.timeIntervalSince(issuedAt ?? now)).lifetime
        case .unsaid: ownLifetime
        case .unreadable: ownLifetime ?? (isReplaceable ? .seconds(300) : nil)
        }
    }

    /// The lifetime in the token itself; without the time of its issue, from the date of the answer on.
    private var ownLifetime: Duration? {
        guard let claims = JSONWebToken(access)?.claims else { return nil }
        if let lifetime = claims.tokenLifetime { return lifetime }
        guard claims["iat"] == nil, let issuedAt, let end = claims["exp"]?.date, end > issuedAt else { return nil }
        return AuthJSON.number(end.timeIntervalSince(issuedAt)).lifetime
    }
}
